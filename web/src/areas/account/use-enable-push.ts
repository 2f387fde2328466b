import { TandemError } from "@tandem/client";
import { useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "../../data/error-messages.ts";
import { type EnablePushResult, enablePush } from "../../data/push.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";

/** Has notices pushed to this browser, after its owner said so to the browser as well. */
export function useEnablePush(key: string) {
  const { t, locale } = useText();
  const { show, showError } = useToasts();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["push"] });
  const enable = useAction((api) => enablePush(api, { key, locale }), {
    inlineErrors: true,
    onSuccess: (outcome: EnablePushResult) => {
      if (outcome === "on") show(t("account.pushIsOn"));
      if (outcome === "undecided") showError(t("account.pushUndecided"));
      return refresh();
    },
  });
  const mutate = () =>
    enable.mutate(undefined, {
      // What isn't the service's refusal is the browser's: its push service can't be reached, or it has none.
      onError: (error) => {
        showError(error instanceof TandemError ? errorMessage(error, t) : t("account.pushFailed"));
        return refresh();
      },
    });
  return { mutate, isPending: enable.isPending };
}
