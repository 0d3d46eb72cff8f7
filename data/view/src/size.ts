// Tells when the page's own height changes, whatever the frame around it measures.

export function watchSize(report: (width: number, height: number) => void): void {
  let told = "";
  let due = false;
  const observer = new ResizeObserver(() => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      const root = document.documentElement;
      // As tall as the content asks for, not as the frame happens to be.
      root.style.height = "max-content";
      const height = Math.ceil(root.getBoundingClientRect().height);
      root.style.height = "";
      const width = Math.ceil(window.innerWidth);
      if (told === `${width}x${height}`) return;
      told = `${width}x${height}`;
      report(width, height);
    });
  });
  observer.observe(document.documentElement);
  observer.observe(document.body);
}
