import { useQueryClient } from "@tanstack/react-query";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";

/** Ends the reader's live stream, even if it is still being sent. */
export function EndButton({ onEnded }: { onEnded?(): void }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const end = useAction((api) => api.endLive(), {
    onSuccess: () => {
      show(t("live.endedToast"));
      onEnded?.();
      return queryClient.invalidateQueries({ queryKey: ["lives"] });
    },
  });
  return (
    <Button variant="danger" onClick={() => end.mutate()} busy={end.isPending}>
      {t("live.end")}
    </Button>
  );
}
