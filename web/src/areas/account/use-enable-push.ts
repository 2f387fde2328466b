import { TandemError } from "@tandem/client";
import { useQueryClient } from "@tanstack/react-query";
import { inWords } from "../../data/error-messages.ts";
import { type Outcome, switchOn } from "../../data/push.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";

/** Has notices pushed to this browser, after its owner said so to the browser as well. */
export function useSwitchOn(key: string) {
  const { t, locale } = useText();
  const { tell, fail } = useToasts();
  const data = useQueryClient();
  const refresh = () => data.invalidateQueries({ queryKey: ["push"] });
  const on = useAction((api) => switchOn(api, { key, locale }), {
    quiet: true,
    after: (outcome: Outcome) => {
      if (outcome === "on") tell(t("account.pushIsOn"));
      if (outcome === "undecided") fail(t("account.pushUndecided"));
      return refresh();
    },
  });
  const mutate = () =>
    on.mutate(undefined, {
      // What isn't the service's refusal is the browser's: its push service can't be reached, or it has none.
      onError: (error) => {
        fail(error instanceof TandemError ? inWords(error, t) : t("account.pushFailed"));
        return refresh();
      },
    });
  return { mutate, isPending: on.isPending };
}
