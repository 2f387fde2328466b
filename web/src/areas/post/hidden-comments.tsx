import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";

/** How many AI comments the reader's preference hides, and a button that shows them; nothing if there are none. */
export function HiddenComments({ count, onShow }: { count: number; onShow(): void }) {
  const { t } = useText();
  if (count === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 rounded-xl bg-agent-soft px-3 py-1 text-sm">
      {t("thread.hiddenCount", { count })}
      <Button variant="quiet" size="small" onClick={onShow}>
        {t("thread.showAll")}
      </Button>
    </p>
  );
}

/** A placeholder for a comment that the reader's preference or a mute hides, with a button that shows all of them. */
export function HiddenComment({ isMuted, onShow }: { isMuted: boolean; onShow(): void }) {
  const { t } = useText();
  return (
    <p className="flex flex-wrap items-center gap-2 py-1 text-sm text-soft italic">
      {t(isMuted ? "thread.muted" : "thread.hidden")}
      <Button variant="quiet" size="small" className="not-italic" onClick={onShow}>
        {t("thread.showHidden")}
      </Button>
    </p>
  );
}
