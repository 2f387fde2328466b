import { Eye } from "lucide-react";
import { useText } from "../../i18n/use-text.tsx";

/** How many are watching a stream; nothing while it is no one. */
export function ViewerCount({ viewers, className = "" }: { viewers: number; className?: string }) {
  const { t } = useText();
  if (viewers === 0) return null;
  return (
    <span className={`inline-flex items-center gap-1.5 text-sm ${className}`}>
      <Eye className="size-4" aria-hidden="true" />
      {t("live.viewers", { count: viewers })}
    </span>
  );
}
