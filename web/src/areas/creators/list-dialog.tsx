import type { Creator } from "@tandem/contract/resources";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { invalidateLists, listsWithQuery } from "../../data/lists.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { fullNameOf } from "../../shared/full-name.ts";
import { PickDialog } from "../../ui/pick-dialog.tsx";

/** Puts a creator on the reader's lists, or takes them off; also on a new one. */
export function ListDialog({
  creator: { platform, author, displayName },
  onClose,
}: {
  creator: Pick<Creator, "platform" | "author" | "displayName">;
  onClose(): void;
}) {
  const { t } = useText();
  const creator = { platform, author };
  const queryClient = useQueryClient();
  const { data: lists = [] } = useQuery(listsWithQuery(useApi(), creator));
  return (
    <PickDialog
      title={t("creators.listTitle", { name: fullNameOf({ ...creator, displayName }) })}
      description={t("creators.listDescription")}
      places={lists}
      newLabel={t("creators.newList")}
      onChange={(api, id, isAdded) =>
        isAdded ? api.addToList({ id, ...creator }) : api.removeFromList({ id, ...creator })
      }
      onChanged={(id) => invalidateLists(queryClient, id)}
      onCreate={async (api, name) => {
        const { list } = await api.createList({ name });
        return api.addToList({ id: list.id, ...creator });
      }}
      onClose={onClose}
    />
  );
}
