import type { LinkCard } from "@tandem/contract/post-resources";
import { Link2 } from "lucide-react";
import { useText } from "../../i18n/use-text.tsx";
import { isWebUrl } from "./draft.ts";

/** A preview of a link. The page's own title and site name are known once the server has fetched them. */
export function LinkPreview({ url, card = null }: { url: string; card?: LinkCard | null }) {
  const { t } = useText();
  if (!isWebUrl(url.trim())) return null;
  const { hostname } = new URL(url.trim());
  return (
    <div className="flex items-center gap-3 rounded-xl border bg-surface p-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-lg bg-sunken text-soft">
        <Link2 className="size-5" aria-hidden="true" />
      </span>
      <div className="min-w-0">
        <p className="theirs-line block font-semibold">{card?.title ?? hostname.replace(/^www\./, "")}</p>
        <p className="theirs line-clamp-2 text-sm text-soft">
          {card ? (card.siteName ?? hostname) : t("composer.urlHint")}
        </p>
      </div>
    </div>
  );
}
