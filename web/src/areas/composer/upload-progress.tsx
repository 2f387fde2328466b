import { useText } from "../../i18n/use-text.tsx";
import { Button } from "../../ui/button.tsx";
import type { Progress } from "./use-publish.ts";

/** The progress of an upload. At 100%, the server is still processing the file. */
export function UploadProgress({ progress, onCancel }: { progress: Progress; onCancel(): void }) {
  const { t } = useText();
  if (!progress) return null;
  const { sent, total } = progress;
  const percent = total > 0 ? Math.floor((sent / total) * 100) : 0;
  const label = percent < 100 ? t("composer.uploadProgress", { percent }) : t("composer.preparing");
  return (
    <div className="flex items-center gap-3 rounded-xl bg-sunken px-4 py-3">
      <div className="flex-1">
        <p className="mb-1 text-sm font-medium" aria-live="polite">
          {percent < 100 ? t("composer.uploading") : label}
        </p>
        <progress
          value={percent}
          max={100}
          aria-label={label}
          className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-all"
        />
      </div>
      <Button size="small" onClick={onCancel}>
        {t("common.cancel")}
      </Button>
    </div>
  );
}
