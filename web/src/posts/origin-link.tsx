import { origins } from "@tandem/contract/origins";
import type { Post, PostOrigin } from "@tandem/contract/post-resources";
import { useText } from "../i18n/use-text.tsx";
import { OutboundLink } from "../ui/link.tsx";
import { compactNumber } from "../ui/time.tsx";
import { hostOf, threadOf } from "./post-links.ts";

/**
 * How an imported post does at its origin, such as "128 points · 45 comments on Reddit", as a link to its page there. If the
 * counts are unknown, "Read on Reddit", or nothing.
 */
export function OriginLink({ post, ifUnknown }: { post: Post; ifUnknown: "link" | "nothing" }) {
  const { t } = useText();
  const counts = useOriginCounts(post);
  const thread = threadOf(post);
  if (thread === null || (counts === "" && ifUnknown === "nothing")) return null;
  const source = post.platform === "rss" ? hostOf(thread) : t(`platform.${post.platform}`);
  return (
    <OutboundLink
      href={thread}
      className="inline-block py-0.5 text-sm wrap-anywhere text-soft hover:text-ink hover:underline"
    >
      {counts === "" ? t("origin.read", { source }) : t("origin.at", { counts, source })}
      <span aria-hidden="true"> ↗</span>
    </OutboundLink>
  );
}

/** The known counts, in the platform's own words; empty if there are none. */
function useOriginCounts({ platform, origin }: Pick<Post, "platform" | "origin">): string {
  const { t, locale } = useText();
  if (platform === "native" || origin === null) return "";
  const { scoreTerm, commentTerm } = origins[platform];
  const inWords = (term: typeof scoreTerm | typeof commentTerm, count: PostOrigin["score"]) =>
    count === null ? [] : [t(`origin.${term}`, { count, number: compactNumber(count, locale) })];
  return [...inWords(scoreTerm, origin.score), ...inWords(commentTerm, origin.commentCount)].join(" · ");
}
