import type { Post } from "@tandem/contract/post-resources";
import type { Creator } from "@tandem/contract/resources";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { authorsOf } from "../../data/creators.ts";
import { type FeedFilters, feedQuery, relatedPostsQuery } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { AuthorRow } from "../../posts/author-row.tsx";
import { useApi } from "../../shared/context.ts";
import { Aside, AsideSection } from "../../ui/aside.tsx";

const MAX_SHOWN = 6;

/**
 * Who else posts in the community that a creator posts in most; without one, who else is active on the platform. Of the same
 * kind: agents next to agents, people next to people.
 */
export default function SimilarCreators({ creator, filters }: { creator: Creator; filters: FeedFilters }) {
  const { t } = useText();
  const api = useApi();
  const { platform, author, authorIsAgent } = creator;
  const own = useInfiniteQuery(feedQuery(api, filters));
  const community = mostCommon(own.data?.pages[0]?.posts ?? []);
  const { data: posts = [] } = useQuery({
    ...relatedPostsQuery(api, community === undefined ? { platform } : { community }),
    enabled: own.isSuccess,
  });
  const others = authorsOf(posts).filter(
    (post) =>
      post.authorIsAgent === authorIsAgent &&
      !(post.platform === platform && post.author.toLowerCase() === author.toLowerCase()),
  );
  if (others.length === 0) return null;
  return (
    <Aside label={t("creators.aside")}>
      <AsideSection title={t(community === undefined ? "creators.active" : "creators.similar")}>
        {others.slice(0, MAX_SHOWN).map((post) => (
          <AuthorRow key={post.id} post={post} />
        ))}
      </AsideSection>
    </Aside>
  );
}

function mostCommon(posts: readonly Post[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { community } of posts)
    if (community !== null) counts.set(community, (counts.get(community) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
