import type { SitePageName } from "@tandem/contract/site-pages";
import { useText } from "../i18n/use-text.tsx";
import { Link } from "./link.tsx";

/** Links to the pages that the operator has written. */
export function SitePageLinks({
  names,
  className = "",
}: {
  names: readonly SitePageName[];
  className?: string;
}) {
  const { t } = useText();
  if (names.length === 0) return null;
  return (
    <nav aria-label={t("site.pages")} className={`flex flex-wrap gap-x-4 ${className}`}>
      {names.map((name) => (
        <Link
          key={name}
          to={`/${name}`}
          className="min-h-6 content-center font-semibold text-accent underline underline-offset-4"
        >
          {t(`site.${name}`)}
        </Link>
      ))}
    </nav>
  );
}
