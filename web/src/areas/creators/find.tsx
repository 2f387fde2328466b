import { limits } from "@tandem/contract/limits";
import type { Post } from "@tandem/contract/post-resources";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { authorsOf, creatorSearchQuery } from "../../data/creators.ts";
import { errorMessage } from "../../data/error-messages.ts";
import { useMe } from "../../data/me.ts";
import { feedQuery, postsOf } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { AuthorAvatar } from "../../posts/author-avatar.tsx";
import { useNavigate, useSearch } from "../../router/provider.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { type AddressValues, page } from "../../shared/page.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { CardList } from "../../ui/person-row.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { CreatorRow } from "./creator-row.tsx";

/** Milliseconds to wait after the last keystroke before searching. */
const SEARCH_DELAY = 250;

const searchQuery = ({ q }: AddressValues): string => (q ?? "").trim();

export const Find = page({
  load: ({ api, queryClient, search }) => {
    const q = searchQuery(search);
    return q
      ? queryClient.ensureQueryData(creatorSearchQuery(api, q))
      : queryClient.ensureInfiniteQueryData(feedQuery(api, {}));
  },
  head: ({ i18n, search }) => ({
    title: i18n._("creators.title"),
    description: i18n._("creators.intro"),
    canonical: "/creators",
    unlisted: searchQuery(search) !== "",
  }),
  View: FindView,
});

function FindView() {
  const { t } = useText();
  const me = useMe();
  const q = searchQuery(useSearch());
  return (
    <div className="column max-w-4xl">
      <PageTitle
        description={t("creators.intro")}
        actions={me && <ButtonLink to="/following">{t("creators.followingTitle")}</ButtonLink>}
      >
        {t("creators.title")}
      </PageTitle>
      <SearchField q={q} />
      {q ? <SearchResults q={q} /> : <ActiveCreators />}
    </div>
  );
}

function SearchField({ q }: { q: string }) {
  const { t } = useText();
  const navigate = useNavigate();
  const [input, setInput] = useState(q);
  useEffect(() => {
    const query = input.trim();
    if (query === q) return;
    const timer = setTimeout(() => {
      void navigate({ to: "/creators", search: { q: query || undefined }, replace: true });
    }, SEARCH_DELAY);
    return () => clearTimeout(timer);
  }, [input, q, navigate]);
  return (
    <search className="block px-4 pb-4 sm:px-0">
      <form action="/creators" onSubmit={(event) => event.preventDefault()}>
        <label className="relative block">
          <span className="sr-only">{t("creators.search")}</span>
          <Search className="absolute start-4 top-1/2 size-5 -translate-y-1/2 text-soft" aria-hidden="true" />
          <input
            type="search"
            name="q"
            value={input}
            maxLength={limits.query}
            onChange={({ target }) => setInput(target.value)}
            placeholder={t("creators.searchHint")}
            autoComplete="off"
            className="min-h-12 w-full rounded-full border border-edge bg-raised ps-12 pe-4 text-base placeholder:text-soft focus:border-accent"
          />
        </label>
      </form>
    </search>
  );
}

function SearchResults({ q }: { q: string }) {
  const { t } = useText();
  const { data: hits, error } = useQuery(creatorSearchQuery(useApi(), q));
  if (error) return <EmptyState drawing="failed" title={errorMessage(error, t)} />;
  if (!hits) return <SkeletonCards count={2} />;
  return (
    <>
      <p role="status" className="px-4 pb-2 text-sm text-soft sm:px-0">
        {t("creators.resultCount", { count: hits.length })}
      </p>
      {hits.length === 0 ? (
        <EmptyState drawing="search" title={t("creators.noResults", { q })}>
          {t("creators.noResultsDescription")}
        </EmptyState>
      ) : (
        <CardList label={t("creators.title")}>
          {hits.map(({ postCount, ...creatorRef }) => (
            <CreatorRow
              key={`${creatorRef.platform}/${creatorRef.author}`}
              creator={creatorRef}
              description={t("creators.posts", { count: postCount })}
            />
          ))}
        </CardList>
      )}
    </>
  );
}

/** Creators who posted recently, from the feed's first page. */
function ActiveCreators() {
  const { t } = useText();
  const feed = useInfiniteQuery(feedQuery(useApi(), {}));
  if (!feed.data) return <SkeletonCards count={2} />;
  const creators = authorsOf(postsOf(feed.data));
  if (creators.length === 0)
    return (
      <EmptyState drawing="people" title={t("creators.none")}>
        {t("creators.noneDescription")}
      </EmptyState>
    );
  return (
    <section aria-labelledby="active">
      <h2 id="active" className="px-4 pb-2 text-lg font-bold sm:px-0">
        {t("creators.active")}
      </h2>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 sm:gap-3 wide:grid-cols-3">
        {creators.map((post) => (
          <ActiveCreatorCard key={`${post.platform}/${post.author}`} post={post} />
        ))}
      </ul>
    </section>
  );
}

function ActiveCreatorCard({ post }: { post: Post }) {
  const { t } = useText();
  const { platform, author, authorName, authorIsAgent, title, body, sourceName } = post;
  return (
    <li className="card-flush relative flex items-start gap-3 p-4 transition hover:border-edge">
      <AuthorAvatar post={post} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <Link
            to={creatorAddress(post)}
            className="theirs-line block font-semibold after:absolute after:inset-0 after:rounded-card"
          >
            {authorName ?? author}
          </Link>
          {authorIsAgent && <AgentBadge />}
        </p>
        <p className="theirs-line block text-sm text-soft">
          {platform === "native"
            ? `@${author}`
            : t("creators.importedFrom", { platform: sourceName ?? t(`platform.${platform}`) })}
        </p>
        <p className="theirs line-clamp-2 text-sm text-soft">{title ?? body}</p>
        {!authorIsAgent && <ProvenanceBadge {...post} short />}
      </div>
    </li>
  );
}
