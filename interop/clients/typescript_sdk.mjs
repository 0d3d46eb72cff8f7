// The TypeScript SDK of the first generation, by the package name it is installed under: lists and calls tools as stdin
// says, and writes what it got to stdout.
import { readFileSync } from "node:fs";

const name = process.argv[2];
const { Client } = await import(`${name}/client/index.js`);
const { StdioClientTransport } = await import(`${name}/client/stdio.js`);
const { StreamableHTTPClientTransport } = await import(`${name}/client/streamableHttp.js`);

const task = JSON.parse(readFileSync(0, "utf8"));
const transport = task.url
  ? new StreamableHTTPClientTransport(new URL(task.url))
  : new StdioClientTransport({ command: task.command });
const client = new Client({ name: "interop", version: "1.0.0" });
// The first generation keeps the agreed revision to itself, except that it hands it to its transport.
let revision;
const hand = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (version) => {
  revision = version;
  hand?.(version);
};
await client.connect(transport);
const report = { client: name, revision, results: [] };
report.tools = (await client.listTools()).tools;
for (const call of task.calls) {
  try {
    report.results.push(await client.callTool({ name: call.tool, arguments: call.arguments }));
  } catch (refusal) {
    report.results.push({ refused: refusal.message });
  }
}
await client.close();
process.stdout.write(JSON.stringify(report));
