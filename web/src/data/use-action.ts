import type { FlatClient } from "@tandem/client";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { errorMessage } from "./error-messages.ts";
import { useToasts } from "./toasts.ts";
import { useStillOnPage } from "./use-still-on-page.ts";

interface ActionOptions<V, R> {
  /** Runs before the request, for optimistic updates. Returns a function that rolls them back on error. */
  optimistic?(values: V): (() => void) | undefined;
  onSuccess?(response: R, values: V): void;
  onError?(error: Error): void;
  /** Whether the page shows errors itself. No toast appears then, unless the reader has left the page. */
  inlineErrors?: boolean;
}

/** Milliseconds in which a page shows what an action changed, also on a slow device. */
const RENDERING = 5_000;

/**
 * Moves the focus to the main content once what had it is gone, such as the button of a list's item that was deleted. Otherwise the
 * next Tab would start at the top of the page.
 */
function keepFocus(before: Element | null): void {
  if (!before || before === document.body) return;
  const observer = new MutationObserver(check);
  function check(): void {
    const { activeElement, body } = document;
    // A button that is disabled while its action runs loses the focus, and stays.
    const isStillNeeded = activeElement === before || activeElement === body;
    if (before?.isConnected && isStillNeeded) return;
    observer.disconnect();
    if (activeElement === body) document.getElementById("main")?.focus({ preventScroll: true });
  }
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), RENDERING);
  check();
}

/** A mutation with the API client. Errors appear as toasts. */
export function useAction<R, V = void>(
  run: (api: FlatClient, values: V) => Promise<R>,
  { optimistic, onSuccess, onError, inlineErrors = false }: ActionOptions<V, R> = {},
): UseMutationResult<R, Error, V, (() => void) | undefined> {
  const api = useApi();
  const { t } = useText();
  const { showError } = useToasts();
  const isStillOnPage = useStillOnPage();
  const focused = useRef<Element | null>(null);
  return useMutation({
    mutationFn: (values: V) => run(api, values),
    onMutate: (values) => {
      focused.current = document.activeElement;
      return optimistic?.(values);
    },
    onSuccess: (response, values) => onSuccess?.(response, values),
    onSettled: () => keepFocus(focused.current),
    onError: (error, _values, rollback) => {
      rollback?.();
      onError?.(error);
      if (!inlineErrors || !isStillOnPage()) showError(errorMessage(error, t));
    },
  });
}
