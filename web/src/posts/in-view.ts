/** Calls once more than half of an element is in view, unless the device asks for little motion, or little data used. */
export function onceInView(element: Element | null, onSeen: () => void, signal: AbortSignal): void {
  const saveData = "connection" in navigator && Object(navigator.connection).saveData === true;
  const reduceMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!element || saveData || reduceMotion || signal.aborted) return;
  const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && onSeen(), {
    threshold: 0.6,
  });
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}
