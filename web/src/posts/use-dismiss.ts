import { createFlatClient } from "@tandem/client";
import { useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "../data/error-messages.ts";
import { hide } from "../data/hidden-posts.ts";
import { useToasts } from "../data/toasts.ts";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { cardOf, focusNeighbor } from "./card-navigation.ts";

/**
 * Dismisses a post. The API can't undo this, so the request is sent only when "Undo" is no longer possible:
 * when the toast closes, or when the page does, with a keepalive request.
 */
export function useDismiss(id: number): () => void {
  const api = useApi();
  const queryClient = useQueryClient();
  const { t } = useText();
  const { show, showError } = useToasts();
  return () => {
    focusNeighbor(cardOf(id));
    const restore = hide(queryClient, id);
    const sendOnPageHide = () =>
      void keepaliveClient()
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

const keepaliveClient = () =>
  createFlatClient({
    baseUrl: location.origin,
    maxWait: 0,
    fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
  });
