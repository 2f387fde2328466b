import { useQuery } from "@tanstack/react-query";
import { MessageCircle } from "lucide-react";
import { errorMessage } from "../data/error-messages.ts";
import { storyQuery } from "../data/story.ts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { useApi } from "../shared/context.ts";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/states.tsx";
import { Count, Time } from "../ui/time.tsx";
import { AuthorAvatar } from "./author-avatar.tsx";
import { postName } from "./post-name.ts";

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
        <li key={post.id} className="border-b last:border-b-0">
          <Link to={postAddress(post.id)} className="flex items-center gap-3 px-3 py-2.5 hover:bg-sunken">
            <AuthorAvatar post={post} size="small" />
            <span className="min-w-0 flex-1">
              <span className="theirs line-clamp-1 text-sm font-medium">
                {postName(post) ?? t("card.untitled", { author: post.author })}
              </span>
              <span className="theirs line-clamp-1 text-xs text-soft">
                {[post.author, t(`platform.${post.platform}`), post.community].filter(Boolean).join(" · ")} ·{" "}
                <Time at={post.postedAt} />
              </span>
            </span>
            <span className="flex items-center gap-1 text-xs text-soft">
              <MessageCircle className="size-3.5" aria-hidden="true" />
              <span className="sr-only">{t("post.comments", { count: post.commentCount })}</span>
              <span aria-hidden="true">
                <Count value={post.commentCount} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
