import { audioSeconds } from "@tandem/contract/audio";
import { hidesMedia } from "@tandem/contract/content-warning";
import { fileTypes } from "@tandem/contract/files";
import { parseMarkdown } from "@tandem/contract/markdown/parse";
import { plainText } from "@tandem/contract/markdown/plain";
import { nativePlatform } from "@tandem/contract/origins";
import type { Post } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import { escapeHtml } from "@tandem/web/shared/html";
import { provenanceLabel } from "../features/shared/provenance-label.ts";
import type { Addresses } from "./addresses.ts";
import { htmlOfBlocks } from "./markdown-html.ts";
import { pollName } from "./parts.ts";

/** The time of its last change in Tandem. */
export function changedAt({ editedAt, postedAt }: Post): Date {
  return new Date(editedAt ?? postedAt);
}

/** The author with the provenance label, because feed readers show names but rarely categories. */
export function authorOf({
  author,
  authorIsAgent,
  platform,
}: Pick<Post, "author" | "authorIsAgent" | "platform">): string {
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
function markOf(post: Pick<Post, "provenance" | "provenanceBasis">): string[] {
  return post.provenance === "human" ? [] : [`${provenanceLabel(post)}.`];
}

/** The provenance, unless no one says what it is. */
export function saidProvenance({
  provenance,
  provenanceBasis,
}: Pick<Post, "provenance" | "provenanceBasis">): Provenance[] {
  return provenanceBasis === "assumed" ? [] : [provenance];
}

/** The text of an entry. Never empty, because some readers skip empty entries. */
export function textOf(post: Post, now: number): string {
  const body = wordsOf(post);
  const own = [
    ...warningOf(post),
    ...(body ? [body] : []),
    ...pollOf(post, now),
    ...addressesOf(post),
    ...markOf(post),
  ];
  const texts = [...own, ...quoteOf(post, now).map((lines) => lines.join("\n"))];
  return texts.join("\n\n") || titleOf(post);
}

/** What it asks; one votes on the post's page. */
function pollOf({ poll }: Pick<Post, "poll">, now: number): string[] {
  if (!poll) return [];
  return [[`${pollName(poll, now)}:`, ...poll.options.map((text) => `- ${text}`)].join("\n")];
}

/** The post that it quotes, with its own author and mark, or that there is one: none or one list of lines. */
function quoteOf({ quote }: Post, now: number): string[][] {
  if (quote === undefined) return [];
  if (quote === null) return [["It quotes a post that isn't available."]];
  const texts = [quote.title, ...warningOf(quote), quote.body].filter((text) => text !== null);
  return [[`Quoting ${authorOf(quote)}:`, ...texts, ...pollOf(quote, now), ...markOf(quote)]];
}

/** The body without the markup of native posts. */
function wordsOf({ body, platform }: Post): string | null {
  return body && platform === nativePlatform ? plainText(body) : body;
}

/** What a reader who opens the post is warned of. Feeds leave out what it hides (`withoutSensitive`). */
function warningOf(post: Pick<Post, "contentWarning" | "sensitive">): string[] {
  if (post.contentWarning !== undefined) return [`Content warning: ${post.contentWarning}`];
  return hidesMedia(post) ? ["Its media are marked as sensitive."] : [];
}

/** What the post links to, and its thread at its origin. */
function addressesOf({ url, origin }: Post): string[] {
  return [...new Set([url, origin?.url ?? null])].filter((address) => address !== null);
}

/** The same as HTML, with the picture and a link. User text is escaped; that of native posts is Markdown. */
export function htmlOf(post: Post, at: Addresses, now: number): string {
  const before = [...warningOf(post).map(escapeHtml), ...pictureOf(post, at)].map(paragraph);
  const after = [
    ...addressesOf(post)
      .map(escapeHtml)
      .map((url) => `<a href="${url}" rel="nofollow ugc">${url}</a>`),
    ...markOf(post).map(escapeHtml),
  ];
  const poll = pollOf(post, now).map((text) => paragraph(escapeHtml(text).replaceAll("\n", "<br>")));
  const own = [...before, ...bodyOf(post, at), ...poll, ...after.map(paragraph)];
  return [...own, ...quoteHtml(post, at, now)].join("\n") || escapeHtml(titleOf(post));
}

function quoteHtml(post: Post, at: Addresses, now: number): string[] {
  const cite = post.quote ? ` cite="${escapeHtml(at.post(post.quote.id))}"` : "";
  const paragraphOf = (line: string) => paragraph(escapeHtml(line).replaceAll("\n", "<br>"));
  return quoteOf(post, now).map(
    (lines) => `<blockquote${cite}>${lines.map(paragraphOf).join("")}</blockquote>`,
  );
}

const paragraph = (html: string) => `<p>${html}</p>`;

function bodyOf({ body, platform }: Post, at: Addresses): string[] {
  if (!body) return [];
  if (platform !== nativePlatform) return [paragraph(escapeHtml(body).replaceAll("\n", "<br>"))];
  return [htmlOfBlocks(parseMarkdown(body), (username) => at.creator(nativePlatform, username))];
}

function pictureOf(post: Post, at: Addresses): string[] {
  const { image } = imageOf(post, at);
  const single = image === undefined ? [] : [{ url: image, alt: post.alt }];
  return (post.pictures ?? single).map(
    ({ url, alt }) => `<img src="${escapeHtml(at.absolute(url))}" alt="${escapeHtml(alt ?? "")}">`,
  );
}

/** A post's preview picture. */
export function imageOf({ mediaType, mediaUrl, thumbnailUrl }: Post, at: Addresses): { image?: string } {
  const image = mediaType === "image" || mediaType === "gif" ? mediaUrl : thumbnailUrl;
  return image === null ? {} : { image: at.absolute(image) };
}

/** Pictures, videos and audio as Media RSS, which supports sizes, lengths and thumbnails. */
export function mediaOf(post: Post, at: Addresses) {
  const { mediaType, mediaUrl, audioUrl, thumbnailUrl, width, height } = post;
  const medium = mediaType === "video" ? "video" : "image";
  const shown = mediaType !== "text" && mediaType !== "link" && mediaUrl !== null;
  const size = width !== null && height !== null ? { width, height } : {};
  const contents = [
    ...(shown ? [{ url: at.absolute(mediaUrl), medium, ...size }] : []),
    ...(post.pictures ?? []).slice(1).map(({ url }) => ({ url: at.absolute(url), medium: "image" })),
    ...(audioUrl === undefined ? [] : [{ url: audioUrl, medium: "audio", ...audioLength(post) }]),
  ];
  const thumbnails = thumbnailUrl === null ? [] : [{ url: at.absolute(thumbnailUrl) }];
  if (contents.length + thumbnails.length === 0) return {};
  return { media: { contents, thumbnails } };
}

function audioLength(post: Post): { duration?: number } {
  const duration = audioSeconds(post);
  return duration === null ? {} : { duration };
}

interface FeedFile {
  url: string;
  type: string;
  /** In seconds; only of audio. */
  duration?: number;
}

/**
 * The audio, then the pictures or video, as enclosures: many readers take only the first. The embedded players of other
 * platforms aren't files.
 */
export function filesOf(post: Post, at: Addresses): FeedFile[] {
  const { mediaType, mediaUrl, audioUrl } = post;
  const audio =
    audioUrl === undefined ? [] : [{ url: audioUrl, type: audioType(audioUrl), ...audioLength(post) }];
  if (mediaType === "text" || mediaType === "link" || mediaUrl === null) return audio;
  const shown = post.pictures?.map((picture) => picture.url) ?? [mediaUrl];
  const files = shown.flatMap((address) => {
    const url = at.absolute(address);
    const type = mimeOf(url);
    return type === null ? [] : [{ url, type }];
  });
  return [...audio, ...files];
}

const audioTypes: Record<string, string> = {
  m4a: "audio/mp4",
  aac: "audio/aac",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  flac: "audio/flac",
  wav: "audio/wav",
};

/** Most audio is MP3, also at addresses that don't say so. */
function audioType(url: string): string {
  return audioTypes[endingOf(url)] ?? "audio/mpeg";
}

function endingOf(url: string): string {
  return /\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? "";
}

function mimeOf(url: string): string | null {
  const ending = endingOf(url);
  if (ending === "gif") return "image/gif";
  const known = Object.values(fileTypes).find(
    ({ extension, mime }) => ending === extension || mime.endsWith(`/${ending}`),
  );
  return known?.mime ?? null;
}
