import type { Post, QuotedPost } from "./post-resources.ts";

/** Whether a post's media and link preview are hidden until a reader asks for them. */
export function hidesMedia({
  contentWarning,
  sensitive,
}: Pick<Post, "contentWarning" | "sensitive">): boolean {
  return contentWarning !== undefined || sensitive === true;
}

/**
 * A post as it is shown where no one can ask for the rest, such as feeds and link previews of other apps: without the media
 * and link preview that it hides, and without a text or poll that has a warning. Its own link stays. So it is with the post that it quotes.
 */
export function withoutSensitive(post: Post): Post {
  if (!hidesMedia(post)) return post.quote ? { ...post, quote: quoteWithoutSensitive(post.quote) } : post;
  const { audioUrl: _, pictures: __, quote, poll, pollResults, ...rest } = post;
  const isLink = post.mediaType === "link";
  const isWarned = post.contentWarning !== undefined;
  return {
    ...rest,
    ...(quote && !isWarned && { quote: quoteWithoutSensitive(quote) }),
    ...(poll && !isWarned && { poll, pollResults }),
    body: isWarned ? null : post.body,
    mediaType: isLink ? "link" : "text",
    mediaUrl: isLink ? post.mediaUrl : null,
    thumbnailUrl: null,
    thumbHash: null,
    originalUrl: null,
    card: null,
    alt: null,
    durationSeconds: null,
  };
}

/** The same of a quoted post. */
export function quoteWithoutSensitive(quote: QuotedPost): QuotedPost {
  if (!hidesMedia(quote)) return quote;
  const { poll, pollResults, ...rest } = quote;
  const isWarned = quote.contentWarning !== undefined;
  const body = isWarned ? null : quote.body;
  return { ...rest, body, thumbnailUrl: null, alt: null, ...(poll && !isWarned && { poll, pollResults }) };
}
