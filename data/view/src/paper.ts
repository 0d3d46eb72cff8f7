// What is done for paper: before the page is printed, and after it.

/** whenPrinted calls back around each printing for as long as node is in the page. */
export function whenPrinted(node: Node, before: () => void, after: () => void): void {
  const calls = new AbortController();
  const listen = (event: "beforeprint" | "afterprint", act: () => void) =>
    window.addEventListener(event, () => {
      if (node.isConnected) act();
      else calls.abort(); // it was replaced, and will not come back
    }, { signal: calls.signal });
  listen("beforeprint", before);
  listen("afterprint", after);
}
