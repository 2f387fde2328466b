import type { Client } from "@tandem/client";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { errorMessage } from "./error-messages.ts";
import { useToasts } from "./toasts.ts";
import { useStillOnPage } from "./use-still-on-page.ts";

interface ActionOptions<V, R> {
  /** Shown at once, before the service has answered; gives back what takes it back. */
  optimistic?(values: V): (() => void) | undefined;
  onSuccess?(answer: R, values: V): void;
  /** Where the page itself shows what went wrong, no toast does; unless that page was left meanwhile. */
  inlineErrors?: boolean;
}

/** Something that a press does: asks the service, and tells in words where that fails. */
export function useAction<R, V = void>(
  run: (api: Client, values: V) => Promise<R>,
  { optimistic, onSuccess, inlineErrors = false }: ActionOptions<V, R> = {},
): UseMutationResult<R, Error, V, (() => void) | undefined> {
  const api = useApi();
  const { t } = useText();
  const { showError } = useToasts();
  const isStillOnPage = useStillOnPage();
  return useMutation({
    mutationFn: (values: V) => run(api, values),
    onMutate: (values) => optimistic?.(values),
    onSuccess: (answer, values) => onSuccess?.(answer, values),
    onError: (error, _values, rollback) => {
      rollback?.();
      if (!inlineErrors || !isStillOnPage()) showError(errorMessage(error, t));
    },
  });
}
