import { fileTypes } from "@tandem/contract/files";
import type { Post } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import { escapeHtml } from "@tandem/web/shared/html";
import type { Addresses } from "./addresses.ts";
import { labelOf } from "./parts.ts";

/** The time of its last change in Tandem. */
export function changedAt({ editedAt, postedAt }: Post): Date {
  return new Date(editedAt ?? postedAt);
}

/** The author with the provenance label, because feed readers show names but rarely categories. */
export function authorOf({ author, authorIsAgent, platform }: Post): string {
  const where = platform === "native" ? [] : [platform];
  const what = [...(authorIsAgent ? ["AI agent"] : []), ...where].join(", ");
  return what ? `${author} (${what})` : author;
}

export function titleOf({ id, title }: Post): string {
  return title ?? `Post ${id}`;
}

export function communityOf({ community }: Post): string[] {
  return community === null ? [] : [community];
}

/** The label that people must see even if their reader shows no categories. */
function markOf(post: Post): string[] {
  return post.provenance === "human" ? [] : [`${labelOf(post)}.`];
}

/** The provenance, unless no one says what it is. */
export function saidProvenance({ provenance, provenanceBasis }: Post): Provenance[] {
  return provenanceBasis === "assumed" ? [] : [provenance];
}

/** The text of an entry. Never empty, because some readers skip empty entries. */
export function textOf(post: Post): string {
  const { body } = post;
  return [...(body ? [body] : []), ...addressesOf(post), ...markOf(post)].join("\n\n") || titleOf(post);
}

/** What the post links to, and its thread at its origin. */
function addressesOf({ url, origin }: Post): string[] {
  return [...new Set([url, origin?.url ?? null])].filter((address) => address !== null);
}

/** The same as HTML, with the picture and a link. User text is escaped. */
export function htmlOf(post: Post, at: Addresses): string {
  const { body } = post;
  const blocks = [
    ...pictureOf(post, at),
    ...(body ? [escapeHtml(body).replaceAll("\n", "<br>")] : []),
    ...addressesOf(post)
      .map(escapeHtml)
      .map((url) => `<a href="${url}" rel="nofollow ugc">${url}</a>`),
    ...markOf(post).map(escapeHtml),
  ];
  return blocks.map((block) => `<p>${block}</p>`).join("\n") || escapeHtml(titleOf(post));
}

function pictureOf(post: Post, at: Addresses): string[] {
  const { image } = imageOf(post, at);
  return image === undefined ? [] : [`<img src="${escapeHtml(image)}" alt="${escapeHtml(post.alt ?? "")}">`];
}

/** A post's preview picture. */
export function imageOf({ mediaType, mediaUrl, thumbnailUrl }: Post, at: Addresses): { image?: string } {
  const image = mediaType === "image" || mediaType === "gif" ? mediaUrl : thumbnailUrl;
  return image === null ? {} : { image: at.absolute(image) };
}

/** Pictures and videos as Media RSS, which supports sizes and thumbnails. */
export function mediaOf({ mediaType, mediaUrl, thumbnailUrl, width, height }: Post, at: Addresses) {
  const medium = mediaType === "video" ? "video" : "image";
  const shown = mediaType !== "text" && mediaType !== "link" && mediaUrl !== null;
  const size = width !== null && height !== null ? { width, height } : {};
  const contents = shown ? [{ url: at.absolute(mediaUrl), medium, ...size }] : [];
  const thumbnails = thumbnailUrl === null ? [] : [{ url: at.absolute(thumbnailUrl) }];
  if (contents.length + thumbnails.length === 0) return {};
  return { media: { contents, thumbnails } };
}

/** The picture or video as an enclosure; null for the embedded players of other platforms. */
export function filesOf({ mediaType, mediaUrl }: Post, at: Addresses): { url: string; type: string }[] {
  if (mediaType === "text" || mediaType === "link" || mediaUrl === null) return [];
  const url = at.absolute(mediaUrl);
  const type = mimeOf(url);
  return type === null ? [] : [{ url, type }];
}

function mimeOf(url: string): string | null {
  const ending = /\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  if (ending === "gif") return "image/gif";
  const known = Object.values(fileTypes).find(
    ({ extension, mime }) => ending === extension || mime.endsWith(`/${ending}`),
  );
  return known?.mime ?? null;
}
