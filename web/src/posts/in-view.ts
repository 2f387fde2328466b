/** Calls once more than half of an element is in view, unless the device asks for little motion, or little data used. */
export function onceInView(element: Element | null, onSeen: () => void, signal: AbortSignal): void {
  const saving = "connection" in navigator && Object(navigator.connection).saveData === true;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!element || saving || calm || signal.aborted) return;
  const watch = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && onSeen(), {
    threshold: 0.6,
  });
  watch.observe(element);
  signal.addEventListener("abort", () => watch.disconnect());
}
