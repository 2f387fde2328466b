import type { Post } from "@tandem/contract/post-resources";
import { useQuery } from "@tanstack/react-query";
import { MessageCircle } from "lucide-react";
import { errorMessage } from "../data/error-messages.ts";
import { storyQuery } from "../data/story.ts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { useApi } from "../shared/context.ts";
import { AccountName, Byline, BylineAuthor, BylineItem } from "../ui/byline.tsx";
import { Link } from "../ui/link.tsx";
import { ProvenanceBadge } from "../ui/provenance-badge.tsx";
import { Skeleton } from "../ui/states.tsx";
import { Count, Time } from "../ui/time.tsx";
import { AuthorAvatar } from "./author-avatar.tsx";
import { usePostName } from "./post-name.ts";

/** The other posts with the same link. */
export default function Story({ id }: { id: number }) {
  const { t } = useText();
  const story = useQuery(storyQuery(useApi(), id));
  if (story.isPending) return <Skeleton className="h-24" />;
  if (story.isError)
    return (
      <p role="alert" className="text-sm text-danger">
        {errorMessage(story.error, t)}
      </p>
    );
  const others = story.data.filter((post) => post.id !== id);
  return (
    <ul aria-label={t("card.storyPosts")} className="flex flex-col rounded-xl border">
      {others.map((post) => (
        <StoryPost key={post.id} post={post} />
      ))}
    </ul>
  );
}

function StoryPost({ post }: { post: Post }) {
  const { t } = useText();
  const { id, platform, community, commentCount, postedAt } = post;
  return (
    <li className="border-b last:border-b-0">
      <Link to={postAddress(id)} className="flex items-center gap-3 px-3 py-2.5 hover:bg-sunken">
        <AuthorAvatar post={post} size="small" />
        <span className="min-w-0 flex-1">
          <span className="theirs-line block text-sm font-medium">{usePostName(post)}</span>
          <Byline>
            <BylineAuthor>
              <AccountName account={post} nameClass="" />
            </BylineAuthor>
            <BylineItem>{t(`platform.${platform}`)}</BylineItem>
            {community !== null && (
              <BylineItem>
                <span className="theirs-line">{community}</span>
              </BylineItem>
            )}
            <BylineItem>
              <Time isAge at={postedAt} />
            </BylineItem>
            <BylineItem dot={false}>
              <ProvenanceBadge {...post} short />
            </BylineItem>
          </Byline>
        </span>
        <span className="flex items-center gap-1 text-xs text-soft">
          <MessageCircle className="size-3.5" aria-hidden="true" />
          <span className="sr-only">{t("post.comments", { count: commentCount })}</span>
          <span aria-hidden="true">
            <Count value={commentCount} />
          </span>
        </span>
      </Link>
    </li>
  );
}
