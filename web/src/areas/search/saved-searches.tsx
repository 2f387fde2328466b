import type { SavedSearch } from "@tandem/contract/saved-searches";
import { useQuery } from "@tanstack/react-query";
import { addressOf, hasNewQuery, savedSearchesQuery } from "../../data/saved-searches.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Link } from "../../ui/link.tsx";
import { CardList } from "../../ui/person-row.tsx";
import { useNearViewport } from "../../ui/use-near-viewport.ts";

/** The reader's saved searches, and which of them have new matches. */
export function SavedSearches() {
  const { t } = useText();
  const { data: searches } = useQuery(savedSearchesQuery(useApi()));
  if (!searches) return null;
  return (
    <section className="mt-6">
      <h2 className="mb-3 px-4 font-semibold sm:px-0">{t("nav.savedSearches")}</h2>
      {searches.length === 0 ? (
        <p className="px-4 text-soft sm:px-0">{t("search.noneSaved")}</p>
      ) : (
        <CardList label={t("nav.savedSearches")}>
          {searches.map((search) => (
            <Row key={search.id} search={search} />
          ))}
        </CardList>
      )}
    </section>
  );
}

function Row({ search }: { search: SavedSearch }) {
  const { t } = useText();
  const [ref, isNear] = useNearViewport<HTMLLIElement>();
  const { data: hasNew = false } = useQuery({ ...hasNewQuery(useApi(), search.id), enabled: isNear });
  return (
    <li ref={ref}>
      <Link
        to="/search"
        search={addressOf(search)}
        className="flex min-h-12 items-center gap-2 px-4 py-3 hover:bg-sunken"
      >
        <span className="theirs-line min-w-0 flex-1 font-semibold">{search.name}</span>
        {hasNew && (
          <span className="shrink-0 rounded-full bg-accent px-2.5 py-0.5 text-sm font-semibold text-on-accent">
            {t("search.hasNew")}
          </span>
        )}
      </Link>
    </li>
  );
}
