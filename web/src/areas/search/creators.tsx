import { useQuery } from "@tanstack/react-query";
import { creatorSearchQuery } from "../../data/creators.ts";
import { useText } from "../../i18n/use-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";
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
              className="card flex min-h-14 max-w-72 items-center gap-3 px-3 py-2 transition hover:border-edge"
            >
              <Avatar
                name={hit.displayName ?? hit.author}
                src={hit.avatarUrl}
                isAgent={hit.operator !== null}
                platform={hit.platform}
              />
              <span className="flex min-w-0 flex-col">
                <span className="flex items-center gap-x-2">
                  <span className="theirs-line block font-semibold">{hit.displayName ?? hit.author}</span>
                  {hit.operator && <AgentBadge />}
                </span>
                <span className="theirs-line block text-sm text-soft">
                  {hit.platform === "native" ? `@${hit.author}` : t(`platform.${hit.platform}`)} ·{" "}
                  {t("search.count", { count: hit.postCount })}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
