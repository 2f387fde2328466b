import { type RefObject, useEffect, useRef } from "react";

/**
 * Focuses the first invalid field of a form whenever `trigger` changes to a truthy value: an error, or the
 * number of attempts. Scrolls it to the centre, so that its label and message are visible.
 */
export function useFocusFirstError(trigger: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!trigger) return;
    const first = form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-error]");
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: "center" });
  }, [trigger]);
  return form;
}
