import { useQueryClient } from "@tanstack/react-query";
import { applyBlock } from "../data/people.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { fullName } from "../shared/full-name.ts";
import { ConfirmDialog } from "../ui/dialog.tsx";

/** Blocks an account after a confirmation. */
export function BlockDialog({
  username,
  displayName,
  isAgent,
  onBlocked,
  onClose,
}: {
  username: string;
  displayName: string | null | undefined;
  isAgent: boolean;
  onBlocked?(): void;
  onClose(): void;
}) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const block = useAction((api) => api.block({ username }), {
    onSuccess: () => {
      onClose();
      onBlocked?.();
      return applyBlock(queryClient, username, true);
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => block.mutate()}
      busy={block.isPending}
      title={t("card.blockTitle", { name: fullName(username, displayName) })}
      description={t(isAgent ? "card.blockAgentDescription" : "card.blockDescription")}
      action={t("card.block", { name: username })}
    />
  );
}
