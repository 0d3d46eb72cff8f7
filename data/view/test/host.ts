// A host page for the tests: the view in a sandboxed frame, with the reference AppBridge at the other end.

import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const seen = { initialized: 0, sizes: [] as unknown[], links: [] as string[], files: [] as unknown[] };
let bridge: AppBridge | undefined;

const host = {
  seen,
  /** start loads the view and resolves when it has shaken hands. */
  async start(src: string, context: Record<string, unknown>, abilities: object, sandbox: string, refuse: boolean): Promise<void> {
    document.querySelector("iframe")?.remove();
    await bridge?.close();
    seen.initialized = 0;
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", sandbox);
    frame.style.cssText = "display:block;width:100%;height:400px;border:0";
    const next = new AppBridge(null, { name: "test host", version: "1" }, { openLinks: {}, ...abilities }, { hostContext: context });
    bridge = next;
    const ready = new Promise<void>((resolve) => {
      next.addEventListener("initialized", () => {
        seen.initialized++;
        resolve();
      });
    });
    next.addEventListener("sizechange", (size) => {
      seen.sizes.push(size);
      if (size.height) frame.style.height = `${size.height}px`;
    });
    next.onopenlink = ({ url }) => {
      seen.links.push(url);
      return Promise.resolve(refuse ? { isError: true } : {});
    };
    next.ondownloadfile = ({ contents }) => {
      seen.files.push(...contents);
      return Promise.resolve(refuse ? { isError: true } : {});
    };
    document.body.append(frame);
    await next.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
    if (src === "srcdoc") frame.srcdoc = await (await fetch("/view-open")).text();
    else frame.src = src;
    await ready;
    await next.sendToolInput({ arguments: {} });
  },
  result: (params: object) => bridge!.sendToolResult(params as never),
  /** raw posts a result past the bridge's own checks: a host need not have any. */
  raw: (params: object) =>
    document.querySelector("iframe")!.contentWindow!.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params }, "*"),
  input: (args: Record<string, unknown>) => bridge!.sendToolInput({ arguments: args }),
  cancel: (reason: string) => bridge!.sendToolCancelled({ reason }),
  context: (context: object) => bridge!.setHostContext(context as never),
  teardown: () => bridge!.teardownResource({}),
};

declare global {
  interface Window {
    host: typeof host;
  }
}
window.host = host;
