import { TandemError } from "@tandem/client";
import { useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "../../data/error-messages.ts";
import { type EnablePushResult, enablePush } from "../../data/push.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";

/** Enables push in this browser, after the user grants the browser's permission. */
export function useEnablePush(key: string) {
  const { t, locale } = useText();
  const { show, showError } = useToasts();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ["push"] });
  const enable = useAction((api) => enablePush(api, { key, locale }), {
    inlineErrors: true,
    onSuccess: (outcome: EnablePushResult) => {
      if (outcome === "on") show(t("account.pushIsOn"));
      if (outcome === "undecided") showError(t("account.pushNotAnswered"));
      return refresh();
    },
  });
  const mutate = () =>
    enable.mutate(undefined, {
      // Other errors are the browser's own: it has no push service, or can't reach it.
      onError: (error) => {
        showError(error instanceof TandemError ? errorMessage(error, t) : t("account.pushFailed"));
        return refresh();
      },
    });
  return { mutate, isPending: enable.isPending };
}
