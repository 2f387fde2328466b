import type { QueryClient } from "@tanstack/react-query";
import { invalidateCollections, rereadSavedWithout } from "../data/collections.ts";
import type { ToastActions } from "../data/toasts.ts";
import type { Translate } from "../i18n/use-text.tsx";
import CollectionDialog from "./collection-dialog.tsx";

/** Offers to put a post that was just saved in a collection. One that was unsaved has left all. */
export function afterSave(
  id: number,
  isSaved: boolean,
  { offer, t, queryClient }: Pick<ToastActions, "offer"> & { t: Translate; queryClient: QueryClient },
): void {
  if (isSaved) {
    offer(t("card.saved"), t("card.addToCollection"), (close) => (
      <CollectionDialog id={id} onClose={close} />
    ));
    void rereadSavedWithout(queryClient, id);
  }
  void invalidateCollections(queryClient);
}
