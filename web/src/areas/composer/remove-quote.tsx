import { useQueryClient } from "@tanstack/react-query";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import { useRefreshIfGone } from "./use-refresh-if-gone.ts";

/** Takes the quote out of a draft, so that it can be published although the quoted post can't be quoted. */
export function RemoveQuote({ id, name, onDone }: { id: number; name: string; onDone(): void }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const remove = useAction((api) => api.editDraft({ id, quoteId: null }), {
    onError: useRefreshIfGone(),
    onSuccess: () => {
      onDone();
      void queryClient.invalidateQueries({ queryKey: ["drafts"] });
      show(t("composer.saved"));
    },
  });
  const label = t("composer.removeQuote");
  return (
    <Button
      variant="primary"
      size="small"
      busy={remove.isPending}
      aria-label={`${label}: ${name}`}
      onClick={() => remove.mutate()}
    >
      {label}
    </Button>
  );
}
