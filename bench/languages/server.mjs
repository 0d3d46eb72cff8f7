// The bench's tools on the TypeScript SDK: node server.mjs FOLDER PORT, where FOLDER has node_modules.
//
// Served as fast as its documentation knows how: node's own HTTP server without a framework, no sessions, a JSON body
// and never events, NODE_ENV=production, which the bench sets.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, port] = process.argv.slice(2);
const { resolve } = createRequire(join(folder, "package.json"));
const load = (name) => import(pathToFileURL(resolve(name)));
const { McpServer, createMcpHandler } = await load("@modelcontextprotocol/server");
const { toNodeHandler } = await load("@modelcontextprotocol/node");
const { z } = await load("zod");

const row = z.object({
  id: z.int(),
  name: z.string(),
  country: z.string(),
  kind: z.string(),
  price: z.number(),
  count: z.int(),
  active: z.boolean(),
  note: z.string(),
});
const rows = Array.from({ length: 10_000 }, (_, i) => ({
  id: i + 1,
  name: `Station number ${i}`,
  country: ["PT", "DE", "FR"][i % 3],
  kind: ["river", "coast", "mountain"][i % 3],
  price: ((i * 37) % 100_000) / 100,
  count: (i * 7) % 10_007,
  active: i % 2 === 0,
  note: "measured twice a day, at dawn and at dusk",
}));

const answer = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value });
const number = z.object({ result: z.int() });
const reading = z.object({ temperature: z.number(), condition: z.string(), humidity: z.int() });
const list = z.object({ result: z.array(row) });

// The SDK asks for a new server for each request; what can be shared between them, the schemas, is.
function build() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool("number", { outputSchema: number }, () => answer({ result: 17 }));
  server.registerTool("reading", { outputSchema: reading }, () => answer({ temperature: 21.5, condition: "partly cloudy", humidity: 60 }));
  server.registerTool("rows_10000", { outputSchema: list }, () => answer({ result: rows }));
  return server;
}

createServer(toNodeHandler(createMcpHandler(build, { legacy: "reject", responseMode: "json" }))).listen(Number(port), "127.0.0.1");
