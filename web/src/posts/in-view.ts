/**
 * Calls `onSeen` once 60% of an element is in view, unless the device prefers reduced motion or reduced data.
 */
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
