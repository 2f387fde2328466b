import { createClient } from "@tandem/client";
import { useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "../data/error-messages.ts";
import { hide } from "../data/hidden-posts.ts";
import { useToasts } from "../data/toasts.ts";
import { useText } from "../i18n/use-text.tsx";
import { useApi, useApp } from "../shared/context.ts";
import { cardOf, focusNeighbor } from "./card-navigation.ts";

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
    focusNeighbor(cardOf(id));
    const restore = hide(queryClient, id);
    const sendOnPageHide = () =>
      void keepaliveClient(baseUrl)
        .dismissPost({ id })
        .catch(() => {});
    const stopWaiting = () => removeEventListener("pagehide", sendOnPageHide);
    addEventListener("pagehide", sendOnPageHide, { once: true });
    const send = async () => {
      stopWaiting();
      try {
        await api.dismissPost({ id });
      } catch (error) {
        restore();
        showError(errorMessage(error, t));
      }
    };
    const undo = () => {
      stopWaiting();
      restore();
    };
    show(t("card.dismissed"), undo, () => void send());
  };
}

const keepaliveClient = (baseUrl: string) =>
  createClient({ baseUrl, maxWait: 0, fetch: (input, init) => fetch(input, { ...init, keepalive: true }) });
