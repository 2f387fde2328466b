import { useQuery, useQueryClient } from "@tanstack/react-query";
import { collectionsWithQuery, invalidateCollections } from "../data/collections.ts";
import { changePost } from "../data/posts.ts";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { PickDialog } from "../ui/pick-dialog.tsx";

/** Puts a post in the reader's collections, which saves it, or takes it out; also in a new one. */
export default function CollectionDialog({ id: postId, onClose }: { id: number; onClose(): void }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const { data: collections = [] } = useQuery(collectionsWithQuery(useApi(), postId));
  const showSaved = () => changePost(queryClient, postId, (post) => ({ ...post, saved: true }));
  return (
    <PickDialog
      title={t("card.collection.title")}
      description={t("card.collection.description")}
      places={collections}
      newLabel={t("card.collection.newName")}
      onChange={async (api, id, isAdded) => {
        if (!isAdded) return api.removeFromCollection({ id, postId });
        await api.addToCollection({ id, postId });
        showSaved();
      }}
      onChanged={() => invalidateCollections(queryClient)}
      onCreate={async (api, name) => {
        const { collection } = await api.createCollection({ name });
        await api.addToCollection({ id: collection.id, postId });
        showSaved();
      }}
      onClose={onClose}
    />
  );
}
