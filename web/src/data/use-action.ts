import type { Client } from "@tandem/client";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { inWords } from "./error-messages.ts";
import { useToasts } from "./toasts.ts";
import { useHere } from "./use-still-on-page.ts";

interface Following<V, R> {
  /** Shown at once, before the service has answered; gives back what takes it back. */
  before?(values: V): (() => void) | undefined;
  after?(answer: R, values: V): void;
  /** Where the page itself shows what went wrong, no toast does; unless that page was left meanwhile. */
  quiet?: boolean;
}

/** Something that a press does: asks the service, and tells in words where that fails. */
export function useAction<R, V = void>(
  run: (api: Client, values: V) => Promise<R>,
  { before, after, quiet = false }: Following<V, R> = {},
): UseMutationResult<R, Error, V, (() => void) | undefined> {
  const api = useApi();
  const { t } = useText();
  const { fail } = useToasts();
  const here = useHere();
  return useMutation({
    mutationFn: (values: V) => run(api, values),
    onMutate: (values) => before?.(values),
    onSuccess: (answer, values) => after?.(answer, values),
    onError: (error, _values, takeBack) => {
      takeBack?.();
      if (!quiet || !here()) fail(inWords(error, t));
    },
  });
}
