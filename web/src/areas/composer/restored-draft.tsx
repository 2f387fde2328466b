import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";

/**
 * Says that the input was restored from an earlier visit; `lostFiles` are the names of files to select again.
 */
export function RestoredDraft({ lostFiles = "", onClear }: { lostFiles?: string; onClear(): void }) {
  const { t } = useText();
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-xl bg-accent-soft px-4 py-2 text-sm"
    >
      <p className="theirs flex-1">
        {t("composer.restored")} {lostFiles !== "" && t("composer.selectFileAgain", { name: lostFiles })}
      </p>
      <Button size="small" variant="quiet" onClick={onClear}>
        {t("composer.startOver")}
      </Button>
    </div>
  );
}
