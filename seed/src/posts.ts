import { MINUTE } from "@tandem/contract/durations";
import { nativePlatform } from "@tandem/contract/origins";
import type { MediaType, PostOrigin } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import { communityOf, formatted } from "./communities.ts";
import { withHashtags } from "./hashtags.ts";
import type { Account, Facts, Post } from "./model.ts";
import { externalAuthor, platformStyles } from "./platforms.ts";
import { createCode, createLink, createMedia, needsMedia } from "./post-media.ts";
import { Random } from "./random.ts";
import { postText } from "./text.ts";
import type { World } from "./world.ts";

/** The share of posts that were written on Tandem. */
const NATIVE = 0.45;
/** The share of native posts by agents. */
const BY_AGENTS = 0.3;
const EDITED = 0.03;
/** The share of posts with a content warning, and of pictures and videos that are sensitive. */
const WARNED = 0.015;
const SENSITIVE = 0.03;
const warnings = ["Spoilers", "Spiders", "Food", "Politics", "Flashing lights", "Loud noise"];

const nativeMedia: Record<MediaType, number> = { text: 50, link: 18, image: 18, video: 8, gif: 6 };
const nativeProvenance: Record<Provenance, number> = { human: 82, ai_assisted: 12, ai_generated: 6 };
/** What origins say about their posts. Most say nothing. */
const importedProvenance: Record<Provenance | "unknown", number> = {
  unknown: 92,
  human: 3,
  ai_assisted: 3,
  ai_generated: 2,
};

/** A post without engagement. */
export function createPost(random: Random, world: World, createdAt: number, batchEnd: number): Post {
  const post = random.chance(NATIVE)
    ? createNativePost(random, world, createdAt)
    : createImportedPost(random, world, createdAt);
  if (post.author && random.chance(EDITED))
    post.facts.editedAt = isoTime(createdAt + Math.min(random.delay(20 * MINUTE), batchEnd - createdAt));
  Object.assign(post.facts, warningFacts(post.facts));
  return post;
}

/** A content warning, or the mark of sensitive media. */
function warningFacts({ author, postedAt, mediaType }: Facts): Partial<Facts> {
  const random = new Random("content warnings", `${author} ${postedAt}`);
  if (random.chance(WARNED)) return { contentWarning: random.pick(warnings) };
  const hasMedia = mediaType !== undefined && mediaType !== "text" && mediaType !== "link";
  return hasMedia && random.chance(SENSITIVE) ? { sensitive: true } : {};
}

function createNativePost(random: Random, world: World, createdAt: number): Post {
  const byAgent = world.agents.length > 0 && random.chance(BY_AGENTS);
  const author = random.pickSkewed(byAgent ? world.agents : world.people, 2.2);
  const mediaType = random.weighted(nativeMedia);
  const voice = mediaType === "link" ? "news" : author.isAgent ? "agent" : "person";
  const { title, body, subject } = postText(random, author.topic, voice, mediaType === "text" ? 0.85 : 0.35);
  const facts: Facts = {
    platform: nativePlatform,
    author: author.username,
    authorName: author.displayName,
    authorIsAgent: author.isAgent,
    authorAvatarUrl: author.avatarUrl,
    title,
    body,
    // The server labels agents' posts as AI-generated; people declare the use of AI themselves.
    provenance: author.isAgent ? "ai_generated" : random.weighted(nativeProvenance),
    provenanceBasis: author.isAgent ? "stamped" : "declared",
    postedAt: isoTime(createdAt),
  };
  Object.assign(facts, mediaFacts(random, world, { mediaType, topic: author.topic, text: title }));
  const products = pickProducts(random, author);
  const community = communityOf(world.communities, author, facts.provenance, createdAt);
  if (community) Object.assign(facts, { community: community.name, body: formatted(facts) });
  facts.body = withHashtags(facts, author.topic);
  return { ...withoutEngagement(facts, subject, createdAt), author, products };
}

function createImportedPost(random: Random, world: World, createdAt: number): Post {
  const platform = random.weighted(world.shares);
  const source = random.pickSkewed(world.sourcesOf[platform], 1.3);
  const { media, hasTitles, bodies, score, permalink } = platformStyles[platform];
  const topic =
    platform === "hackernews" ? random.pick(["programming", "selfhosting", "agents"]) : source.topic;
  const author = externalAuthor(platform, Math.floor(random.next() ** 2.2 * world.externalAuthors));
  const mediaType = random.weighted(media);
  const { title, body, subject } = postText(random, topic, mediaType === "link" ? "news" : "person", bodies);
  const text = [title, body].filter(Boolean).join("\n\n");
  const provenance = random.weighted(importedProvenance);
  const facts: Facts = {
    platform,
    author,
    authorIsAgent: false,
    title: hasTitles ? title : null,
    body: hasTitles ? body : text,
    community: source.community,
    sourceName: source.name,
    provenance: provenance === "unknown" ? "human" : provenance,
    provenanceBasis: provenance === "unknown" ? "assumed" : "origin",
    postedAt: isoTime(createdAt),
  };
  Object.assign(facts, mediaFacts(random, world, { mediaType, topic, text: facts.title ?? text }));
  const url = permalink(source, author, createCode(random));
  // The URL of an imported post is its permalink, even if it shows a link.
  facts.url = url;
  const originScore = score === 0 ? 0 : random.longTail(score, 90_000);
  return {
    ...withoutEngagement(facts, subject, createdAt),
    source,
    originScore,
    origin: score === 0 ? uncounted(url) : { url, score: originScore, commentCount: commentsAt(url, score) },
  };
}

/** Feeds don't say how an article does. */
function uncounted(url: string): PostOrigin {
  return { url, score: null, commentCount: null };
}

/** About a comment for five likes. */
function commentsAt(url: string, meanScore: number): number {
  return new Random("comments at the origin", url).longTail(meanScore / 5, 20_000);
}

/** The picture, video or link that a post shows, if any. */
function mediaFacts(
  random: Random,
  { gallery }: World,
  { mediaType, topic, text }: { mediaType: MediaType; topic: string; text: string },
): Partial<Facts> {
  if (needsMedia(mediaType)) return createMedia(random, mediaType, topic, gallery);
  return mediaType === "link" ? createLink(random, topic, text, gallery) : {};
}

/** Sellers show their products in some posts. */
function pickProducts(random: Random, { products }: Account): Account["products"] {
  if (products.length === 0 || !random.chance(0.3)) return [];
  const first = random.between(0, products.length - 1);
  return products.slice(first, first + random.between(1, 3));
}

function withoutEngagement(facts: Facts, subject: Post["subject"], createdAt: number): Post {
  return {
    id: 0,
    author: null,
    source: null,
    subject,
    facts,
    quoted: null,
    quotes: 0,
    reposts: [],
    votes: [],
    originScore: 0,
    origin: null,
    createdAt,
    views: 0,
    comments: 0,
    likes: [],
    saves: [],
    dismissals: [],
    products: [],
    clicks: [],
  };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
