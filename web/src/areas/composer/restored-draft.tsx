import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";

/**
 * Says that the input was restored from an earlier visit; `lostFile` is the name of a file to select again.
 */
export function RestoredDraft({ lostFile = "", onClear }: { lostFile?: string; onClear(): void }) {
  const { t } = useText();
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-xl bg-accent-soft px-4 py-2 text-sm"
    >
      <p className="theirs flex-1">
        {t("composer.restored")} {lostFile !== "" && t("composer.selectFileAgain", { name: lostFile })}
      </p>
      <Button size="small" variant="quiet" onClick={onClear}>
        {t("composer.startOver")}
      </Button>
    </div>
  );
}
