import type { Post } from "@tandem/contract/post-resources";
import type { Creator } from "@tandem/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { profileQuery } from "../../data/creators.ts";
import { useMe } from "../../data/me.ts";
import { relatedPostsQuery } from "../../data/posts.ts";
import { similarQuery } from "../../data/similar.ts";
import { addTexts } from "../../i18n/texts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { AuthorAvatar } from "../../posts/author-avatar.tsx";
import { InlineText } from "../../posts/markdown-inlines.tsx";
import { PostRow } from "../../posts/post-row.tsx";
import { communityTarget, creatorAddress } from "../../shared/addresses.ts";
import { useApi, useApp } from "../../shared/context.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Aside, AsideSection, asideRow } from "../../ui/aside.tsx";
import { Link } from "../../ui/link.tsx";
import { OperatorText } from "../../ui/operator-text.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { FollowButton } from "../creators/follow-button.tsx";
import { similarPosts } from "./similar-posts.ts";

/** A post's author, and posts like it: by meaning, of its community and of its author. */
export default function PostAside({ post }: { post: Post }) {
  const { t } = useText();
  const api = useApi();
  const { i18n } = useApp();
  const { platform, author, community } = post;
  const texts = useQuery({
    queryKey: ["texts", "creators"],
    queryFn: async () => {
      await addTexts(i18n, "creators");
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const creator = useQuery(profileQuery(api, post));
  const byAuthor = useQuery(relatedPostsQuery(api, { platform, author }));
  const inCommunity = useQuery({
    ...relatedPostsQuery(api, {
      community: community ?? undefined,
      ...(platform === "native" && { platform }),
    }),
    enabled: community !== null,
  });
  const byMeaning = useQuery(similarQuery(api, { postId: post.id }));
  // Wait for everything, so that nothing moves down later.
  if ([texts, creator, byAuthor, inCommunity, byMeaning].some(({ isLoading }) => isLoading)) return null;
  const similar = similarPosts(post, [byMeaning.data, inCommunity.data, byAuthor.data]);
  return (
    <Aside label={t("thread.aside")}>
      <AsideSection title={t("thread.author")}>
        <AuthorCard post={post} creator={creator.data} canFollow={texts.isSuccess} />
      </AsideSection>
      {community !== null && (
        <AsideSection title={t("thread.community")}>
          <Link {...communityTarget({ platform, community })} className={asideRow}>
            <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-soft">
              <Users className="size-4" aria-hidden="true" />
            </span>
            <span className="min-w-0">
              <span className="theirs-line block font-semibold">{community}</span>
              <span className="block text-sm text-soft">{t(`platform.${platform}`)}</span>
            </span>
          </Link>
        </AsideSection>
      )}
      {similar.length > 0 && (
        <AsideSection title={t("thread.similar")}>
          <ul>
            {similar.map((one) => (
              <PostRow key={one.id} post={one} />
            ))}
          </ul>
        </AsideSection>
      )}
    </Aside>
  );
}

function AuthorCard({
  post,
  creator,
  canFollow,
}: {
  post: Post;
  creator: Creator | undefined;
  canFollow: boolean;
}) {
  const { t } = useText();
  const me = useMe();
  const { platform, author, authorName, authorIsAgent } = post;
  const isLocal = platform === "native";
  const isOwn = isLocal && me?.username.toLowerCase() === author.toLowerCase();
  return (
    <div className="flex flex-col items-start gap-3 px-2">
      <div className="flex max-w-full items-center gap-3">
        <AuthorAvatar post={post} />
        <div className="min-w-0">
          <Link
            to={creatorAddress(post)}
            className="theirs-line block min-h-6 leading-6 font-semibold hover:underline"
          >
            {authorName ?? author}
          </Link>
          <p className="theirs-line block text-sm text-soft">
            {isLocal ? `@${author}` : t(`platform.${platform}`)}
          </p>
        </div>
      </div>
      {authorIsAgent && <AgentBadge />}
      {creator?.operator && canFollow && (
        <p className="text-sm text-soft">
          <OperatorText text="creators.operatedBy" operator={creator.operator} />
        </p>
      )}
      {creator?.bio && <InlineText text={creator.bio} className="line-clamp-4 text-sm" />}
      {!authorIsAgent && creator?.aiGeneratedFields.includes("bio") && (
        <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" short />
      )}
      {creator && canFollow && !isOwn && !creator.relationship?.blocked && <FollowButton creator={creator} />}
    </div>
  );
}
