// The host at the other end of postMessage: the part of MCP Apps (io.modelcontextprotocol/ui, 2026-01-26) that a view
// which only shows data needs. JSON-RPC 2.0 both ways; only the embedding window is listened to.
// https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx

import type { TextFile } from "./download";

const protocolVersion = "2026-01-26";

/** What the host says of itself and its page; every field is foreign and may be missing or of any type. */
export type Context = Record<string, unknown>;

export interface Listener {
  context(context: Context): void;
  result(params: Record<string, unknown>): void;
  cancelled(reason: unknown): void;
  teardown(): void;
}

export class Host {
  private next = 1;
  private readonly pending = new Map<number, (message: Record<string, unknown>) => void>();
  private capabilities: Record<string, unknown> = {};
  private context: Context = {};

  constructor(private readonly listener: Listener) {
    window.addEventListener("message", (event) => {
      if (event.source === window.parent && isObject(event.data) && event.data["jsonrpc"] === "2.0") this.receive(event.data);
    });
  }

  /** connect shakes hands. A host that refuses still gets to send results: there is nothing better to wait for. */
  async connect(): Promise<void> {
    const answer = await this.request("ui/initialize", {
      protocolVersion,
      appInfo: { name: "diptych-view", version: "1.0.0" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    });
    if (answer === undefined) return;
    if (isObject(answer["hostCapabilities"])) this.capabilities = answer["hostCapabilities"];
    if (isObject(answer["hostContext"])) this.merge(answer["hostContext"]);
    this.notify("ui/notifications/initialized", {});
  }

  /** openLink asks the host to open a URL and reports whether it did. */
  async openLink(url: string): Promise<boolean> {
    const answer = await this.request("ui/open-link", { url });
    return answer !== undefined && answer["isError"] !== true;
  }

  /** canSave reports whether the host offers to save files. */
  canSave(): boolean {
    return isObject(this.capabilities["downloadFile"]);
  }

  async save(file: TextFile): Promise<boolean> {
    const resource = { uri: `file:///${file.name}`, mimeType: file.type, text: file.text };
    const answer = await this.request("ui/download-file", { contents: [{ type: "resource", resource }] });
    return answer !== undefined && answer["isError"] !== true;
  }

  reportSize(width: number, height: number): void {
    this.notify("ui/notifications/size-changed", { width, height });
  }

  private receive(message: Record<string, unknown>): void {
    const { id, method } = message;
    const params = isObject(message["params"]) ? message["params"] : {};
    if (typeof method !== "string") {
      if (typeof id !== "number") return;
      this.pending.get(id)?.(message);
      this.pending.delete(id);
      return;
    }
    if (id !== undefined) return this.answer(id, method);
    switch (method) {
      case "ui/notifications/tool-result": return this.listener.result(params);
      case "ui/notifications/tool-cancelled": return this.listener.cancelled(params["reason"]);
      case "ui/notifications/host-context-changed": return this.merge(params);
    }
  }

  private answer(id: unknown, method: string): void {
    if (method === "ui/resource-teardown") this.listener.teardown();
    const known = method === "ui/resource-teardown" || method === "ping";
    this.post(known ? { id, result: {} } : { id, error: { code: -32601, message: "method not found" } });
  }

  private merge(change: Context): void {
    this.context = { ...this.context, ...change };
    this.listener.context(this.context);
  }

  private request(method: string, params: object): Promise<Record<string, unknown> | undefined> {
    const id = this.next++;
    return new Promise((resolve) => {
      this.pending.set(id, (message) => resolve(isObject(message["result"]) ? message["result"] : undefined));
      this.post({ id, method, params });
    });
  }

  private notify(method: string, params: object): void {
    this.post({ method, params });
  }

  // The host's origin cannot be known here; nothing secret is ever sent.
  private post(message: object): void {
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
