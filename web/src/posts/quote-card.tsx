import { hidesMedia } from "@tandem/contract/content-warning";
import type { Post, QuotedPost } from "@tandem/contract/post-resources";
import { remotePicture } from "@tandem/contract/remote-pictures";
import { EyeOff, TriangleAlert } from "lucide-react";
import { useId } from "react";
import { useAiPosts, useSensitivePosts } from "../data/preferences.ts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { AccountName, Byline, BylineAuthor, BylineItem } from "../ui/byline.tsx";
import { Link } from "../ui/link.tsx";
import { ProvenanceBadge } from "../ui/provenance-badge.tsx";
import { Time } from "../ui/time.tsx";
import { useBrokenImage } from "../ui/use-broken-image.ts";
import { AuthorAvatar } from "./author-avatar.tsx";
import { usePostName } from "./post-name.ts";
import { pollOptions } from "./post-poll.tsx";

/** What a post quotes, if anything. */
export function PostQuote({ post: { quote } }: { post: Pick<Post, "quote"> }) {
  const [ai] = useAiPosts();
  if (quote === undefined) return null;
  // The service hides it from members who want that; visitors' choices are this browser's.
  const isHidden = quote === null || (ai === "hide" && quote.provenance === "ai_generated");
  return isHidden ? <NoQuote /> : <QuoteCard quote={quote} isShort={ai === "dim"} />;
}

/** In place of a quoted post that was deleted, or that the reader can't or doesn't want to see. */
export function NoQuote() {
  const { t } = useText();
  return <p className="rounded-xl border border-dashed px-3.5 py-3 text-sm text-soft">{t("card.noQuote")}</p>;
}

/**
 * A quoted post, with its own author and mark. What has a warning stays behind it: to see that, readers open the post. Of AI posts, only
 * their title is shown to those who want them collapsed.
 */
export function QuoteCard({ quote, isShort = false }: { quote: QuotedPost; isShort?: boolean }) {
  const { t } = useText();
  const id = useId();
  const wantsAll = useSensitivePosts() === "show";
  const { title, body, contentWarning, platform, thumbnailUrl } = quote;
  const name = usePostName(quote);
  const isWarned = contentWarning !== undefined && !wantsAll;
  const isCovered = hidesMedia(quote) && !wantsAll;
  const isCollapsed = isShort && quote.provenance === "ai_generated";
  const showsText = !isWarned && !isCollapsed;
  const picture = isCovered || isCollapsed ? null : remotePicture(`posts/${quote.id}`, thumbnailUrl);
  return (
    <article
      aria-labelledby={id}
      className="relative isolate flex flex-col gap-1 overflow-hidden rounded-xl border p-3.5 transition hover:border-edge hover:bg-sunken"
    >
      <div className="flex items-center gap-2">
        <AuthorAvatar post={quote} size="small" />
        <Byline>
          <BylineAuthor>
            <AccountName account={quote} />
          </BylineAuthor>
          <BylineItem>
            <Time isAge at={quote.postedAt} />
          </BylineItem>
          {platform !== "native" && <BylineItem>{t(`platform.${platform}`)}</BylineItem>}
          <BylineItem dot={false}>
            <ProvenanceBadge {...quote} short />
          </BylineItem>
        </Byline>
      </div>
      <div className="flex gap-3">
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <p id={id} className={title === null ? "sr-only" : "theirs line-clamp-2 font-semibold"}>
            <Link to={postAddress(quote.id)} className="after:absolute after:inset-0">
              <span className="sr-only">{t("card.quoted")} </span>
              {name}
            </Link>
          </p>
          {contentWarning !== undefined && (
            <p className="theirs flex items-center gap-1.5 text-sm text-soft">
              <TriangleAlert className="size-4 shrink-0" aria-hidden="true" />
              <span className="sr-only">{t("card.warning")}</span>
              {contentWarning}
            </p>
          )}
          {showsText && body !== null && (
            <p className={`theirs line-clamp-4 ${title === null ? "" : "text-sm text-soft"}`}>{body}</p>
          )}
          {showsText && pollOptions(quote)}
          {isCovered && contentWarning === undefined && (
            <p className="flex items-center gap-1.5 text-sm text-soft">
              <EyeOff className="size-4 shrink-0" aria-hidden="true" />
              {t("card.sensitive")}
            </p>
          )}
        </div>
        {picture && <Thumbnail src={picture} alt={quote.alt} />}
      </div>
    </article>
  );
}

function Thumbnail({ src, alt }: { src: string; alt: string | null }) {
  const [isBroken, imageProps] = useBrokenImage();
  if (isBroken) return null;
  return (
    <img
      {...imageProps}
      src={src}
      alt={alt ?? ""}
      loading="lazy"
      decoding="async"
      width={80}
      height={80}
      className="size-20 shrink-0 rounded-lg bg-sunken object-cover"
    />
  );
}
