import { useQueryClient } from "@tanstack/react-query";
import { invalidateRelationships } from "../../data/people.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";

/** Accepts or declines a friend request. */
export function RequestButtons({
  id,
  name,
  size = "medium",
  onDone,
}: {
  id: number;
  /** The person who asks. */
  name: string;
  size?: "small" | "medium";
  onDone?(): void;
}) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const refresh = () => {
    onDone?.();
    return invalidateRelationships(queryClient);
  };
  const accept = useAction((api) => api.acceptFriend({ id }), {
    onSuccess: () => {
      show(t("people.accepted", { name }));
      return refresh();
    },
  });
  const decline = useAction((api) => api.declineFriend({ id }), { onSuccess: refresh });
  const busy = accept.isPending || decline.isPending;
  return (
    <>
      <Button
        variant="primary"
        size={size}
        disabled={busy}
        aria-label={t("people.acceptNamed", { name })}
        onClick={() => accept.mutate()}
      >
        {t("people.accept")}
      </Button>
      <Button
        size={size}
        disabled={busy}
        aria-label={t("people.declineNamed", { name })}
        onClick={() => decline.mutate()}
      >
        {t("people.decline")}
      </Button>
    </>
  );
}
