import { useText } from "../../i18n/use-text.tsx";

/** Marks a live stream. */
export function LiveBadge() {
  const { t } = useText();
  return (
    <span className="inline-flex items-center gap-1.5 rounded-md bg-danger px-2 py-0.5 text-xs font-bold tracking-wide text-ground uppercase">
      <span aria-hidden="true" className="size-2 rounded-full bg-current" />
      {t("live.now")}
    </span>
  );
}
