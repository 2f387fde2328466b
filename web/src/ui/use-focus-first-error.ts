import { type RefObject, useEffect, useRef } from "react";

/**
 * Leads to the first thing in a form that is at fault, whenever `told` becomes another: what tells of a fault, or counts the
 * presses that may have found one. What it is stands in the middle of the window, with its label and what is wrong with it.
 */
export function useFocusFirstError(trigger: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!trigger) return;
    const first = form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-fault]");
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: "center" });
  }, [trigger]);
  return form;
}
