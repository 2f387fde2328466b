/**
 * What the log's entries say, and of what their hashes are. All JSON here is in the canonical form of RFC 8785: keys in
 * order, no spaces.
 */

import type { Platform } from "../origins.ts";
import type { Provenance, ProvenanceBasis } from "../provenance.ts";
import type { ProfileField } from "../resources.ts";
import { type Bytes, bytesOf, concat } from "./bytes.ts";

/** The log's path below the service's address. */
export const LOG_PATH = "/log";

/**
 * The path of the log with this name: `/log`, or `/log/2` and so on after a restart. A restarted log can have other hashes in
 * the same tiles, which caches keep forever. Throws if it is no log's name.
 */
export function logPathOf(origin: string): string {
  const [, path] = /^[^/]+(\/log(?:\/[1-9]\d{0,5})?)$/.exec(origin) ?? [];
  if (path === undefined) throw new Error("The checkpoint doesn't name a log of Tandem's.");
  return path;
}
/** The public keys that sign checkpoints and receipts. */
export const JWKS_PATH = "/.well-known/jwks.json";

/** Bytes of the salt of an entry's hashes. */
export const SALT_BYTES = 16;

/** What keeps earlier versions, which have receipts of their own. */
export const versionedKinds = ["post", "comment"] as const;
export type VersionedKind = (typeof versionedKinds)[number];
/** What is only as it is now: each version replaces the one before, whose receipt ends. */
export const currentKinds = ["product", "profile", "live", "community"] as const;
export type CurrentKind = (typeof currentKinds)[number];

export const loggedKinds = [...versionedKinds, ...currentKinds] as const;
export type LoggedKind = (typeof loggedKinds)[number];

/** A version of something that was published. `author`, `content`, `operator` and `signer` are salted hashes in base64url. */
export interface PublishedEntry {
  author: string;
  basis: ProvenanceBasis;
  content: string;
  id: number;
  kind: LoggedKind;
  operator: string | null;
  provenance: Provenance;
  /** Left out if no signature of the request was verified. */
  signer?: string;
  /** RFC 3339, in UTC. */
  time: string;
  version: number;
}

/** The deletion of a post, with its comments, or of something else that was published; or the end of a live stream. */
export interface DeletionEntry {
  id: number;
  kind: "deletion";
  of: LoggedKind;
  time: string;
}

/** A key that signs from here on, and the log's name from here on. */
export interface KeyEntry {
  key: { crv: "Ed25519"; kid: string; kty: "OKP"; x: string };
  kind: "key";
  origin: string;
  time: string;
}

export type LogEntry = PublishedEntry | DeletionEntry | KeyEntry;

/** The text of an entry, whose bytes are the leaf. Members are named in order: sorting them would take longer than hashing. */
export function entryText(entry: LogEntry): string {
  if (entry.kind === "key") {
    const { key, kind, origin, time } = entry;
    const { crv, kid, kty, x } = key;
    return JSON.stringify({ key: { crv, kid, kty, x }, kind, origin, time });
  }
  if (entry.kind === "deletion") {
    const { id, kind, of, time } = entry;
    return JSON.stringify({ id, kind, of, time });
  }
  const { author, basis, content, id, kind, operator, provenance, signer, time, version } = entry;
  return JSON.stringify({ author, basis, content, id, kind, operator, provenance, signer, time, version });
}

/** Throws if the text isn't that of a published version. */
export function parsePublished(text: string): PublishedEntry {
  const entry = JSON.parse(text) as PublishedEntry;
  if (!loggedKinds.includes(entry.kind) || entryText(entry) !== text)
    throw new Error("not the entry of something published");
  return entry;
}

/** What a post asks its readers. The votes are no part of what its author wrote. */
export interface LoggedPoll {
  closesAt: string;
  isMultiple: boolean;
  options: string[];
}

/** One of several pictures; `media` is as that of a {@link LoggedPost}. */
export interface LoggedPicture {
  alt: string | null;
  media: string | null;
}

/** What others see of a post, as far as its author decides it. */
export interface LoggedPost {
  alt: string | null;
  body: string | null;
  contentWarning?: string | undefined;
  /** `sha256:` and the file's hash in hexadecimal, for uploads; otherwise the {@link stableAddress}. */
  media: string | null;
  mediaType: string;
  /** Of uploads, if there are several. */
  pictures?: readonly LoggedPicture[] | undefined;
  poll?: LoggedPoll | undefined;
  /** The post that it quotes. What that says has an entry of its own. */
  quoteId?: number | undefined;
  sensitive?: boolean | undefined;
  title: string | null;
  url: string | null;
}

/** A post without a warning has no `contentWarning`, one that isn't sensitive no `sensitive`, and so on. */
export function postContent(post: LoggedPost): string {
  const { alt, body, contentWarning, media, mediaType, pictures, poll, quoteId, sensitive, title, url } =
    post;
  return JSON.stringify({
    alt,
    body,
    contentWarning,
    kind: "post",
    media,
    mediaType,
    pictures: pictures?.map(({ alt, media }) => ({ alt, media })),
    poll: poll && pollContent(poll),
    quoteId,
    sensitive,
    title,
    url,
  });
}

const pollContent = ({ closesAt, isMultiple, options }: LoggedPoll) => ({ closesAt, isMultiple, options });

export interface LoggedComment {
  body: string;
  parentId: number | null;
  postId: number;
}

export function commentContent({ body, parentId, postId }: LoggedComment): string {
  return JSON.stringify({ body, kind: "comment", parentId, postId });
}

/** A product in a shop. */
export interface LoggedProduct {
  category: string | null;
  imageUrl: string | null;
  /** {@link FILE_HASH} and the hash of the address that it links to, which others see only when they follow the link. */
  media: string | null;
  price: string | number | null;
  title: string;
}

function productContent({ category, imageUrl, media, price, title }: LoggedProduct): string {
  return JSON.stringify({ category, imageUrl, kind: "product", media, price, title });
}

/** An account's profile. `media` is its avatar's, `banner` its banner's: as `media` of a {@link LoggedPost}. */
export interface LoggedProfile {
  aiGeneratedFields: readonly ProfileField[];
  banner: string | null;
  bio: string | null;
  displayName: string | null;
  links: readonly string[];
  media: string | null;
}

function profileContent(profile: LoggedProfile): string {
  const { aiGeneratedFields, banner, bio, displayName, links, media } = profile;
  return JSON.stringify({ aiGeneratedFields, banner, bio, displayName, kind: "profile", links, media });
}

export interface LoggedLive {
  title: string;
}

function liveContent({ title }: LoggedLive): string {
  return JSON.stringify({ kind: "live", title });
}

/** A community. `media` is its picture's. */
export interface LoggedCommunity {
  description: string | null;
  media: string | null;
  pictureIsAi: boolean;
  rules: string | null;
}

function communityContent({ description, media, pictureIsAi, rules }: LoggedCommunity): string {
  return JSON.stringify({ description, kind: "community", media, pictureIsAi, rules });
}

/** The fields of a receipt that say what an entry covers of a picture, video or link. */
export type MediaField = "media" | "banner";
export interface LoggedMedia extends Record<MediaField, string | null> {
  /** Of each picture of a native post with several. */
  pictures?: string[] | undefined;
}

export interface ShownPicture {
  alt: string | null;
  url: string;
}

/** The content of each kind, besides its media. */
export interface LoggedTexts {
  post: Omit<LoggedPost, MediaField | "pictures"> & { pictures?: readonly ShownPicture[] | undefined };
  comment: LoggedComment;
  product: Omit<LoggedProduct, MediaField>;
  profile: Omit<LoggedProfile, MediaField>;
  live: LoggedLive;
  community: Omit<LoggedCommunity, MediaField>;
}

function writePost(
  { pictures: shown = [], ...post }: LoggedTexts["post"],
  { media, pictures }: LoggedMedia,
): string {
  const logged = pictures?.map((picture, i) => ({ alt: shown[i]?.alt ?? null, media: picture }));
  return postContent({ ...post, media, pictures: logged });
}

/** How each kind's content is written, and which media it has. */
const contents: {
  [K in LoggedKind]: {
    media: readonly MediaField[];
    write(texts: LoggedTexts[K], media: LoggedMedia): string;
  };
} = {
  post: { media: ["media"], write: writePost },
  comment: { media: [], write: commentContent },
  product: { media: ["media"], write: (product, { media }) => productContent({ ...product, media }) },
  profile: {
    media: ["media", "banner"],
    write: (profile, media) => profileContent({ ...profile, ...media }),
  },
  live: { media: [], write: liveContent },
  community: { media: ["media"], write: (community, { media }) => communityContent({ ...community, media }) },
};

/** The text whose salted hash is an entry's `content`. */
export function contentText<K extends LoggedKind>(
  kind: K,
  texts: LoggedTexts[K],
  media: LoggedMedia,
): string {
  return contents[kind].write(texts, media);
}

export function mediaFieldsOf(kind: LoggedKind): readonly MediaField[] {
  return contents[kind].media;
}

export interface LoggedAuthor {
  platform: Platform;
  author: string;
}

/** A community speaks in its own name: who moderates it isn't shown with its texts. */
export function authorContent({ platform, author }: LoggedAuthor): string {
  return JSON.stringify({ author, platform });
}

export function operatorContent(username: string): string {
  return JSON.stringify({ operator: username });
}

/** The host whose key signed the request. */
export function signerContent(host: string): string {
  return JSON.stringify({ signer: host });
}

/** The data whose SHA-256 an entry contains instead of the text: it proves the text, and doesn't let anyone guess it. */
export function salted(salt: Bytes, text: string): Bytes {
  return concat(salt, bytesOf(text));
}

/** Marks the hash of an uploaded file. */
export const FILE_HASH = "sha256:";

/** The one spelling of the address that a product links to, in ASCII, of which an entry has the hash. */
export function linkAddress(url: string): string {
  return new URL(url).href;
}

/**
 * The address of media that isn't an upload, without its query: many platforms sign the address of the same file differently
 * each time. A link stays as it is.
 */
export function stableAddress(mediaType: string, mediaUrl: string): string {
  return mediaType === "link" ? mediaUrl : mediaUrl.replace(/\?.*/s, "");
}
