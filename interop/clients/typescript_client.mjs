// The TypeScript SDK of the second generation: lists and calls tools as stdin says, and writes what it got to stdout.
import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const task = JSON.parse(readFileSync(0, "utf8"));
const transport = task.url
  ? new StreamableHTTPClientTransport(new URL(task.url))
  : new StdioClientTransport({ command: task.command });
const mode = task.modern ? { pin: task.revision } : "legacy";
const client = new Client({ name: "interop", version: "1.0.0" }, { versionNegotiation: { mode } });
await client.connect(transport);
const report = { client: "@modelcontextprotocol/client", revision: client.getNegotiatedProtocolVersion(), results: [] };
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
