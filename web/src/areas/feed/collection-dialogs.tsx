import type { Collection } from "@tandem/contract/collections";
import { useQueryClient } from "@tanstack/react-query";
import { invalidateCollections } from "../../data/collections.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { NameForm } from "../../ui/name-form.tsx";
import { RenameDialog } from "../../ui/rename-dialog.tsx";

export function NewCollection({ onClose }: { onClose(): void }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <Dialog open onClose={onClose} title={t("card.collection.new")}>
      <NameForm
        label={t("card.collection.name")}
        action={t("card.collection.create")}
        isPrimary
        onCreate={async (api, name) => {
          const { collection } = await api.createCollection({ name });
          await invalidateCollections(queryClient);
          await navigate({ to: "/", search: { saved: "1", collectionId: String(collection.id) } });
        }}
        onCreated={onClose}
      />
    </Dialog>
  );
}

interface OfCollection {
  collection: Collection;
  onClose(): void;
}

export function RenameCollection({ collection: { id, name }, onClose }: OfCollection) {
  const { t } = useText();
  const queryClient = useQueryClient();
  return (
    <RenameDialog
      title={t("card.collection.rename")}
      label={t("card.collection.name")}
      name={name}
      onRename={(api, newName) => api.renameCollection({ id, name: newName })}
      onRenamed={() => invalidateCollections(queryClient)}
      onClose={onClose}
    />
  );
}

export function DeleteCollection({ collection: { id, name }, onClose }: OfCollection) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useAction((api) => api.deleteCollection({ id }), {
    onSuccess: async () => {
      // Leaves the collection first: the page would read it again.
      await navigate({ to: "/", search: { saved: "1" } });
      return invalidateCollections(queryClient);
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      title={t("card.collection.deleteTitle", { name })}
      description={t("card.collection.deleteDescription")}
      action={t("card.collection.delete")}
    />
  );
}
