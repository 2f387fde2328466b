import type { SavedSearch } from "@tandem/contract/saved-searches";
import { useQueryClient } from "@tanstack/react-query";
import { invalidateSearches } from "../../data/saved-searches.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { RenameDialog } from "../../ui/rename-dialog.tsx";

export function SaveSearch({ query, onClose }: Pick<SavedSearch, "query"> & { onClose(): void }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  return (
    <RenameDialog
      title={t("search.save")}
      label={t("search.name")}
      name={query.q ?? ""}
      onRename={(api, name) => api.createSavedSearch({ name, ...(query as object) })}
      onRenamed={() => invalidateSearches(queryClient)}
      onClose={onClose}
    />
  );
}

interface OfSearch {
  search: SavedSearch;
  onClose(): void;
}

export function RenameSearch({ search: { id, name }, onClose }: OfSearch) {
  const { t } = useText();
  const queryClient = useQueryClient();
  return (
    <RenameDialog
      title={t("search.rename")}
      label={t("search.name")}
      name={name}
      onRename={(api, newName) => api.editSavedSearch({ id, name: newName })}
      onRenamed={() => invalidateSearches(queryClient)}
      onClose={onClose}
    />
  );
}

export function DeleteSearch({ search: { id, name }, onClose }: OfSearch) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const remove = useAction((api) => api.deleteSavedSearch({ id }), {
    onSuccess: () => {
      onClose();
      return invalidateSearches(queryClient);
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      title={t("search.deleteTitle", { name })}
      description={t("search.deleteDescription")}
      action={t("search.delete")}
    />
  );
}
