import type { Post } from "@tandem/contract/post-resources";
import type { Creator } from "@tandem/contract/resources";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Compass } from "lucide-react";
import { authorsOf } from "../../data/creators.ts";
import { type FeedFilters, feedQuery, relatedPostsQuery } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { AuthorRow } from "../../posts/author-row.tsx";
import { useApi } from "../../shared/context.ts";
import { Aside, AsideLink, AsideSection } from "../../ui/aside.tsx";

const MAX_SHOWN = 6;

/**
 * Who else posts in the community that a creator posts in most, or else who is active on the platform. Of the same
 * kind: agents next to agents, people next to people.
 */
export default function SimilarCreators({ creator, filters }: { creator: Creator; filters: FeedFilters }) {
  const { t } = useText();
  const api = useApi();
  const { platform, author, authorIsAgent } = creator;
  const own = useInfiniteQuery(feedQuery(api, filters));
  const community = mostCommon(own.data?.pages[0]?.posts ?? []);
  const isOther = (post: Post) =>
    post.authorIsAgent === authorIsAgent &&
    !(post.platform === platform && post.author.toLowerCase() === author.toLowerCase());
  const inCommunity = useQuery({
    ...relatedPostsQuery(api, { community }),
    enabled: community !== undefined,
  });
  const similar = authorsOf(inCommunity.data ?? []).filter(isOther);
  const onPlatform = useQuery({
    ...relatedPostsQuery(api, { platform }),
    enabled: own.isSuccess && !inCommunity.isLoading && similar.length === 0,
  });
  if (own.isPending || inCommunity.isLoading || onPlatform.isLoading) return null;
  const shown = similar.length > 0 ? similar : authorsOf(onPlatform.data ?? []).filter(isOther);
  return (
    <Aside label={t("creators.aside")}>
      <AsideSection
        title={t(
          similar.length > 0 ? "creators.similar" : shown.length > 0 ? "creators.active" : "creators.aside",
        )}
      >
        {shown.slice(0, MAX_SHOWN).map((post) => (
          <AuthorRow key={post.id} post={post} />
        ))}
        {shown.length === 0 && (
          <AsideLink to="/creators" Icon={Compass}>
            {t("nav.creators")}
          </AsideLink>
        )}
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
