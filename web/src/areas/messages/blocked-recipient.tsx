import { useQueryClient } from "@tanstack/react-query";
import { applyBlock } from "../../data/people.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";

/** Replaces the message input while the reader blocks the other account. */
export function BlockedRecipient({ username }: { username: string }) {
  const { t } = useText();
  const queryClient = useQueryClient();
  const unblock = useAction((api) => api.unblock({ username }), {
    onSuccess: () => applyBlock(queryClient, username, false),
  });
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 border-t bg-surface px-4 py-3">
      <p className="text-center text-soft">{t("messages.recipientBlocked")}</p>
      <Button onClick={() => unblock.mutate()} busy={unblock.isPending}>
        {t("messages.unblock")}
      </Button>
    </div>
  );
}
