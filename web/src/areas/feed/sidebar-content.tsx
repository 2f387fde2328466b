import type { Post } from "@tandem/contract/post-resources";
import type { Live } from "@tandem/contract/resources";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Radio } from "lucide-react";
import { trendingTagsQuery } from "../../data/completions.ts";
import { livesQuery } from "../../data/lives.ts";
import { type FeedFilters, feedQuery } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { AuthorRow } from "../../posts/author-row.tsx";
import { trendingAuthors, trendingCommunities } from "../../posts/trending.ts";
import { TrendingTags } from "../../posts/trending-tags.tsx";
import { communityTarget, liveAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Aside, AsideSection, asideRow } from "../../ui/aside.tsx";
import { Link } from "../../ui/link.tsx";
import { LocalName } from "../../ui/local-name.tsx";

const MAX_SHOWN = { communities: 8, authors: 5 };

/** Live streams, the communities and authors with most likes by people on the feed's first page, and trending hashtags. */
export default function SidebarContent({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  const feed = useInfiniteQuery(feedQuery(useApi(), filters));
  const lives = useQuery(livesQuery(useApi()));
  const tags = useQuery(trendingTagsQuery(useApi()));
  const posts = feed.data?.pages[0]?.posts ?? [];
  // Wait for what is at the top, so that nothing moves down later. Hashtags are last, since nothing waits for them.
  if (lives.isPending) return null;
  return (
    <Aside label={t("feed.more")}>
      <LiveNow lives={lives.data ?? []} />
      <TrendingCommunities posts={posts} />
      <TrendingAuthors posts={posts} />
      {tags.data && tags.data.length > 0 && (
        <AsideSection title={t("common.trendingTags")}>
          <div className="px-2">
            <TrendingTags tags={tags.data} />
          </div>
        </AsideSection>
      )}
    </Aside>
  );
}

function LiveNow({ lives }: { lives: readonly Live[] }) {
  const { t } = useText();
  if (lives.length === 0) return null;
  return (
    <AsideSection title={t("feed.liveNow")}>
      {lives.slice(0, 3).map(({ username, displayName, title }) => (
        <Link key={username} to={liveAddress(username)} className={asideRow}>
          <Radio className="size-5 shrink-0 text-danger" aria-hidden="true" />
          <span className="min-w-0">
            <span className="theirs-line block text-sm font-semibold">{title}</span>
            <span className="flex text-sm text-soft">
              <LocalName username={username} displayName={displayName} nameClass="" />
            </span>
          </span>
        </Link>
      ))}
    </AsideSection>
  );
}

function TrendingCommunities({ posts }: { posts: readonly Post[] }) {
  const { t } = useText();
  const trending = trendingCommunities(posts, MAX_SHOWN.communities);
  if (trending.length === 0) return null;
  const isAmbiguous = (name: string | null) =>
    trending.filter(({ community }) => community === name).length > 1;
  return (
    <AsideSection title={t("feed.communities")}>
      <ul className="flex flex-wrap gap-1.5 px-2">
        {trending.map(({ platform, community }) => (
          <li key={`${platform}/${community}`} className="min-w-0">
            <Link
              {...communityTarget({ platform, community: community ?? "" })}
              title={t(`platform.${platform}`)}
              className="theirs inline-flex min-h-9 max-w-full items-center gap-1.5 rounded-full border px-3 text-sm font-medium hover:border-edge hover:bg-sunken"
            >
              <span className="truncate">{community}</span>
              {isAmbiguous(community) && (
                <span className="shrink-0 font-normal text-soft">{t(`platform.${platform}`)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </AsideSection>
  );
}

function TrendingAuthors({ posts }: { posts: readonly Post[] }) {
  const { t } = useText();
  const trending = trendingAuthors(posts, MAX_SHOWN.authors);
  if (trending.length === 0) return null;
  return (
    <AsideSection title={t("feed.activeAuthors")}>
      {trending.map((post) => (
        <AuthorRow key={post.id} post={post} />
      ))}
    </AsideSection>
  );
}
