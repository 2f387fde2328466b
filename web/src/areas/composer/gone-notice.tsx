import { useText } from "../../i18n/use-text.tsx";
import type { Gone } from "./gone.ts";

/** Says why a draft can't be published or approved. Without its quote, it can. */
export function GoneNotice({ what, isPending }: { what: Gone; isPending: boolean }) {
  const { t } = useText();
  const isLost = t(isPending ? "composer.onlyReject" : "composer.onlyDiscard");
  return (
    <p className="rounded-lg bg-danger-soft px-3 py-2 text-sm text-danger">
      {t("composer.gone", { what })} {what === "quote" ? t("composer.removeQuoteFirst") : isLost}
    </p>
  );
}
