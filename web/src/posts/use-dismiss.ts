import { createClient } from "@tandem/client";
import { useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "../data/error-messages.ts";
import { hide } from "../data/hidden-posts.ts";
import { useToasts } from "../data/toasts.ts";
import { useText } from "../i18n/use-text.tsx";
import { useApi, useApp } from "../shared/context.ts";
import { cardOf, focusNear } from "./card-navigation.ts";

/**
 * Sends a post away. The service can't take that back, so it hears of it only once nobody can press "Undo" any more: when
 * the word about it is gone, or else when the page is, by a request that outlives it.
 */
export function useDismiss(id: number): () => void {
  const api = useApi();
  const { baseUrl } = useApp();
  const queryClient = useQueryClient();
  const { t } = useText();
  const { show, showError } = useToasts();
  return () => {
    focusNear(cardOf(id));
    const putBack = hide(queryClient, id);
    const leaving = () =>
      void lastingClient(baseUrl)
        .dismissPost({ id })
        .catch(() => {});
    const settled = () => removeEventListener("pagehide", leaving);
    addEventListener("pagehide", leaving, { once: true });
    const send = async () => {
      settled();
      try {
        await api.dismissPost({ id });
      } catch (error) {
        putBack();
        showError(errorMessage(error, t));
      }
    };
    const undo = () => {
      settled();
      putBack();
    };
    show(t("card.dismissed"), undo, () => void send());
  };
}

const lastingClient = (baseUrl: string) =>
  createClient({ baseUrl, maxWait: 0, fetch: (input, init) => fetch(input, { ...init, keepalive: true }) });
