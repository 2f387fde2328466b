import { audioSeconds } from "@tandem/contract/audio";
import { hidesMedia, withoutSensitive } from "@tandem/contract/content-warning";
import { embeddedPlayerOf } from "@tandem/contract/embedded-players";
import { plainText } from "@tandem/contract/markdown/plain";
import { origins } from "@tandem/contract/origins";
import type { Comment, Post, QuotedPost } from "@tandem/contract/post-resources";
import { linkOf, originalOf } from "../../posts/post-links.ts";
import { excerpt, postName } from "../../posts/post-name.ts";
import { creatorAddress, postAddress } from "../../shared/addresses.ts";
import type { PageRequest } from "../../shared/page.ts";
import { previewText } from "../../shared/preview-text.ts";
import type { Head } from "../../shared/rendering.ts";
import { sourceTypeOf } from "../../shared/source-types.ts";

/** The most comments in the structured data. */
const MAX_COMMENTS = 20;

/** A post's title, or a substitute. */
export const headlineOf = (post: Post): string => postName(post) ?? `${post.author} · #${post.id}`;

/** Metadata for link previews and search engines. */
export function postHead(
  post: Post,
  comments: readonly Comment[],
  { baseUrl, i18n }: Pick<PageRequest, "baseUrl" | "i18n">,
): Head {
  const shown = withoutSensitive(post);
  const words = post.contentWarning ?? wordsOfBody(shown) ?? shown.alt ?? shown.card?.description;
  const label = post.provenance === "human" ? null : i18n._(`provenance.${post.provenance}`);
  const description = previewText(label, excerpt(words ?? "", 200));
  return {
    title: headlineOf(post),
    ...(description && { description }),
    canonical: postAddress(post.id),
    image: imageOf(shown),
    kind: shown.mediaType === "video" ? "video.other" : "article",
    // Imported posts without comments here aren't indexed, so that they don't outrank the original.
    unlisted: post.platform !== "native" && post.commentCount === 0,
    data: structuredData(shown, comments, baseUrl),
  };
}

/** What people read in a post's body and poll. */
function wordsOfBody({ body, platform, poll }: Post): string | undefined {
  const text = body !== null && platform === "native" ? plainText(body) : body;
  const words = [text, ...(poll?.options ?? [])].filter((line) => line !== null);
  return words.length === 0 ? undefined : words.join("\n");
}

function imageOf({ mediaType, mediaUrl, thumbnailUrl, card }: Post): string | null {
  if (mediaType === "image" || mediaType === "gif") return mediaUrl;
  return thumbnailUrl ?? card?.imageUrl ?? null;
}

/** Structured data in schema.org's vocabulary. JSON leaves out undefined values. */
function structuredData(post: Post, comments: readonly Comment[], baseUrl: string): object {
  const absolute = (address: string) => (address.startsWith("/") ? baseUrl + address : address);
  const address = absolute(postAddress(post.id));
  const image = imageOf(post);
  const link = linkOf(post);
  return {
    "@context": "https://schema.org",
    "@type": post.platform === "native" ? "DiscussionForumPosting" : "SocialMediaPosting",
    "@id": address,
    url: address,
    headline: headlineOf(post),
    text: wordsOfBody(post),
    datePublished: post.postedAt,
    dateModified: post.editedAt ?? undefined,
    author: authorData(post, authorType(post), absolute(creatorAddress(post))),
    digitalSourceType: sourceTypeOf(post.provenance),
    isFamilyFriendly: hidesMedia(post) ? false : undefined,
    image: post.pictures?.map(({ url }) => absolute(url)) ?? (image === null ? undefined : absolute(image)),
    video: videoData(post, absolute),
    audio: audioData(post, absolute),
    sharedContent: sharedContent(link, post.quote, absolute),
    isBasedOn: originalOf(post) ?? undefined,
    commentCount: post.commentCount,
    interactionStatistic: [
      interactionCounter("LikeAction", post.likeCount),
      interactionCounter("CommentAction", post.commentCount),
      interactionCounter("ViewAction", post.viewCount),
      ...countersAtOrigin(post),
    ],
    comment: comments
      .filter(({ deleted, hidden }) => !deleted && !hidden)
      .slice(0, MAX_COMMENTS)
      .map((comment) => ({
        "@type": "Comment",
        url: `${address}#comment-${comment.id}`,
        text: plainText(comment.body),
        datePublished: comment.createdAt,
        dateModified: comment.editedAt ?? undefined,
        author: authorData(
          { author: comment.username, authorName: comment.authorName },
          comment.authorIsAgent ? "Organization" : "Person",
          absolute(creatorAddress({ platform: "native", author: comment.username })),
        ),
        digitalSourceType: comment.isAiGenerated ? sourceTypeOf("ai_generated") : undefined,
      })),
  };
}

/** What the post links to and what it quotes. */
function sharedContent(
  link: string | null,
  quote: QuotedPost | null | undefined,
  absolute: (address: string) => string,
) {
  const page = link === null ? [] : [{ "@type": "WebPage", url: link }];
  const quoted = quote
    ? [
        {
          "@type": quote.platform === "native" ? "DiscussionForumPosting" : "SocialMediaPosting",
          url: absolute(postAddress(quote.id)),
          headline: quote.title ?? undefined,
          text: quote.body ?? undefined,
          datePublished: quote.postedAt,
          author: authorData(quote, authorType(quote), absolute(creatorAddress(quote))),
          digitalSourceType: sourceTypeOf(quote.provenance),
        },
      ]
    : [];
  const shared = [...page, ...quoted];
  return shared.length > 1 ? shared : shared[0];
}

/** Undefined for imported posts, unless their origin says that a person wrote them. Of what people import themselves, no one says so. */
function authorType({ platform, provenance, provenanceBasis, authorIsAgent }: Post | QuotedPost) {
  if (authorIsAgent) return "Organization";
  const isPerson =
    platform === "native"
      ? provenanceBasis !== "assumed"
      : provenance === "human" && provenanceBasis === "origin";
  return isPerson ? "Person" : undefined;
}

const authorData = (
  { author, authorName }: Pick<Post, "author" | "authorName">,
  type: string | undefined,
  url: string,
) => ({
  "@type": type,
  name: authorName ?? author,
  alternateName: authorName === undefined ? undefined : author,
  url,
});

const interactionCounter = (action: string, count: number) => ({
  "@type": "InteractionCounter",
  interactionType: `https://schema.org/${action}`,
  userInteractionCount: count,
});

/** What the origin counts, as far as it is what schema.org has a name for: votes for and against aren't likes. */
function countersAtOrigin({ platform, origin }: Post): object[] {
  if (platform === "native" || origin === null) return [];
  const { score, commentCount } = origin;
  const interactionService = { "@type": "WebSite", url: new URL(origin.url).origin };
  const counters = [
    ...(score === null || origins[platform].scoreTerm === "points"
      ? []
      : [interactionCounter("LikeAction", score)]),
    ...(commentCount === null ? [] : [interactionCounter("CommentAction", commentCount)]),
  ];
  return counters.map((counter) => ({ ...counter, interactionService }));
}

function videoData(post: Post, absolute: (address: string) => string): object | undefined {
  const { mediaType, mediaUrl, alt } = post;
  if (mediaType !== "video" || mediaUrl === null) return undefined;
  return {
    "@type": "VideoObject",
    ...(embeddedPlayerOf(post) ? { embedUrl: mediaUrl } : { contentUrl: absolute(mediaUrl) }),
    description: alt ?? undefined,
    duration: durationOf(post.durationSeconds),
    ...fileData(post, absolute),
  };
}

function audioData(post: Post, absolute: (address: string) => string): object | undefined {
  const { audioUrl } = post;
  if (audioUrl === undefined) return undefined;
  const duration = durationOf(audioSeconds(post));
  return { "@type": "AudioObject", contentUrl: audioUrl, duration, ...fileData(post, absolute) };
}

function fileData(post: Post, absolute: (address: string) => string) {
  const { thumbnailUrl, postedAt } = post;
  return {
    name: headlineOf(post),
    thumbnailUrl: thumbnailUrl === null ? undefined : absolute(thumbnailUrl),
    uploadDate: postedAt,
  };
}

/** In ISO 8601. */
function durationOf(seconds: number | null): string | undefined {
  return seconds === null ? undefined : `PT${Math.round(seconds)}S`;
}
