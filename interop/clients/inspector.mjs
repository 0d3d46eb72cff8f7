// The Inspector's command line: lists and calls tools as stdin says, one process for each, and writes what it got to
// stdout. The list is strict: a schema that some host could not read ends it.
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";

const task = JSON.parse(readFileSync(0, "utf8"));
const target = task.url ? [task.url, "--transport", "http"] : [task.command];
const always = ["--cli", ...target, "--protocol-era", task.modern ? "modern" : "legacy", "--format", "json", "--quiet"];
const toolFailed = 5; // the exit code of an answer with isError

function inspect(...args) {
  const run = spawnSync("mcp-inspector", [...always, ...args], { encoding: "utf8" });
  if (run.status !== 0 && run.status !== toolFailed) {
    throw new Error(`exit code ${run.status}: ${run.stderr}`);
  }
  return JSON.parse(run.stdout).result;
}

const report = { client: "inspector", revision: task.revision, results: [] };
report.tools = inspect("--method", "tools/list", "--strict").tools;
for (const call of task.calls) {
  try {
    report.results.push(inspect("--method", "tools/call", "--tool-name", call.tool, "--tool-args-json", JSON.stringify(call.arguments)));
  } catch (refusal) {
    report.results.push({ refused: refusal.message });
  }
}
process.stdout.write(JSON.stringify(report));
