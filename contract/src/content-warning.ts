import type { Post } from "./post-resources.ts";

/** Whether a post's media and link preview are hidden until a reader asks for them. */
export function hidesMedia({
  contentWarning,
  sensitive,
}: Pick<Post, "contentWarning" | "sensitive">): boolean {
  return contentWarning !== undefined || sensitive === true;
}

/**
 * A post as it is shown where no one can ask for the rest, such as feeds and link previews of other apps: without the media
 * and link preview that it hides, and without a text that has a warning. Its own link stays.
 */
export function withoutSensitive(post: Post): Post {
  if (!hidesMedia(post)) return post;
  const { audioUrl: _, pictures: __, ...rest } = post;
  const isLink = post.mediaType === "link";
  return {
    ...rest,
    body: post.contentWarning === undefined ? post.body : null,
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
