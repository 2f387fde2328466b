import { useText } from "../../i18n/use-text.tsx";
import type { Gone } from "./use-gone.ts";

/** Says why a draft can't be published or approved. */
export function GoneNotice({ what, isPending }: { what: Gone; isPending: boolean }) {
  const { t } = useText();
  return (
    <p className="rounded-lg bg-danger-soft px-3 py-2 text-sm text-danger">
      {t("composer.gone", { what })} {t(isPending ? "composer.onlyReject" : "composer.onlyDiscard")}
    </p>
  );
}
