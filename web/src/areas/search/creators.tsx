import { useQuery } from "@tanstack/react-query";
import { creatorSearchQuery } from "../../data/creators.ts";
import { useText } from "../../i18n/use-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Link } from "../../ui/link.tsx";

/** Creators whose names match the query, in a row that scrolls sideways. */
export function MatchingCreators({ q }: { q: string }) {
  const { t } = useText();
  const { data: hits = [] } = useQuery(creatorSearchQuery(useApi(), q));
  if (hits.length === 0) return null;
  return (
    <section aria-labelledby="creators" className="mb-4">
      <h2 id="creators" className="mb-2 px-4 text-sm font-semibold text-soft sm:px-0">
        {t("search.creators")}
      </h2>
      <ul className="flex gap-2 overflow-x-auto px-4 pb-1 sm:px-0">
        {hits.map((hit) => (
          <li key={`${hit.platform}/${hit.author}`} className="shrink-0">
            <Link
              to={creatorAddress(hit)}
              className="card flex min-h-14 max-w-60 flex-col justify-center px-4 py-2 transition hover:border-edge"
            >
              <span className="flex items-center gap-x-2">
                <span className="theirs line-clamp-1 font-semibold">{hit.author}</span>
                {hit.operator && <AgentBadge />}
              </span>
              <span className="line-clamp-1 text-sm text-soft">
                {t(`platform.${hit.platform}`)} · {t("search.count", { count: hit.postCount })}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
