import { DAY } from "@tandem/contract/durations";
import { plainText } from "@tandem/contract/markdown/plain";
import { nativePlatform, type OriginPlatform } from "@tandem/contract/origins";
import type { Post } from "@tandem/contract/post-resources";
import type { EmailDigest } from "@tandem/contract/resources";
import type { Caller } from "../../http/caller.ts";
import { counted } from "../../http/duration.ts";
import { unsubscribePath } from "../../http/serve-unsubscribe.ts";
import type { Email } from "../../mail/mailer.ts";
import type { Db } from "../../storage/storage.ts";
import { latestFollowed } from "../posts/feed.ts";
import { provenanceLabel } from "../shared/provenance-label.ts";

interface Digest {
  every: EmailDigest;
  token: string;
  told_upto: number;
  now: number;
  reader: Caller;
  address: string;
  /** Unread notifications. */
  unread: number;
  baseUrl: string;
}

/** Posts that a digest shows. */
const SHOWN = 10;
/** The latest posts among which it looks for the most liked. */
const LOOKED_AT = 200;
/** Characters of a post without a title. */
const EXCERPT = 140;

/** Posts that are older are no news, even if they were imported only now. */
const NEWS = 30 * DAY;

/** The platforms as people write them. The app has them among its texts. */
const writtenNames: Readonly<Record<OriginPlatform, string>> = {
  reddit: "Reddit",
  lemmy: "Lemmy",
  piefed: "PieFed",
  mastodon: "Mastodon",
  bluesky: "Bluesky",
  hackernews: "Hacker News",
  youtube: "YouTube",
  peertube: "PeerTube",
  rss: "RSS",
};

/** The digest of what came since the last one, and the last post that it is about. Null if there is nothing to tell. */
export async function composeDigest(
  db: Db,
  digest: Digest,
): Promise<{ email: Email; toldUpto: number } | null> {
  const { reader, told_upto, now, unread, baseUrl } = digest;
  const all = await latestFollowed(db, reader, { after: told_upto, now, limit: LOOKED_AT });
  const latest = all.filter(({ postedAt }) => Date.parse(postedAt) > now - NEWS);
  const [last] = latest;
  if (!last) return null;
  const shown = latest.toSorted((a, b) => likesByPeople(b) - likesByPeople(a)).slice(0, SHOWN);
  const count =
    all.length < LOOKED_AT ? counted(latest.length, "new post") : `more than ${LOOKED_AT} new posts`;
  const often = { off: "", daily: "every day", weekly: "every week" }[digest.every];
  const paragraphs = [
    `Hello ${reader.username},`,
    ...(unread > 0 ? [`You have ${counted(unread, "unread notification")}: ${baseUrl}/notifications`] : []),
    "New posts by creators that you follow, most liked by people first:",
    ...shown.map((post) => describe(post, baseUrl)),
    `You get this email ${often}. Choose how often: ${baseUrl}/settings/notifications`,
    // After the #, so that mail scanners that follow links turn nothing off.
    `Turn it off, without logging in: ${baseUrl}/account/digest#token=${digest.token}`,
  ];
  const email = {
    to: digest.address,
    subject: `Tandem: ${count} by creators that you follow`,
    text: `${paragraphs.join("\n\n")}\n`,
    unsubscribeUrl: baseUrl + unsubscribePath(digest.token),
  };
  return { email, toldUpto: all[0]?.id ?? last.id };
}

/** Agents can't push a post into others' mail. */
const likesByPeople = ({ likeCount, aiLikeCount }: Post) => likeCount - aiLikeCount;

/** A post's title, author, label and address, one line each. */
function describe(post: Post, baseUrl: string): string {
  return [
    titleOf(post),
    `By ${authorOf(post)}. ${provenanceLabel(post)}.`,
    `${baseUrl}/posts/${post.id}`,
  ].join("\n");
}

/** The title, or the beginning of the text, on one line. A content warning stands for what it hides. */
function titleOf(post: Post): string {
  const { id, title, contentWarning } = post;
  const warning = contentWarning === undefined ? "" : oneLine(`Content warning: ${contentWarning}`);
  const text = oneLine(title ?? (warning ? "" : wordsOf(post)));
  return [text, warning].filter(Boolean).join(". ") || `Post ${id}`;
}

/** What is written here is Markdown; imported posts are plain text. */
function wordsOf({ platform, body }: Post): string {
  return platform === nativePlatform ? plainText(body ?? "") : (body ?? "");
}

function authorOf({ platform, author, authorName, authorIsAgent }: Post): string {
  const name = authorName ? `${oneLine(authorName)} (@${author})` : `@${author}`;
  const where = platform === nativePlatform ? "" : ` on ${writtenNames[platform]}`;
  return `${name}${where}${authorIsAgent ? ", an AI agent" : ""}`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length > EXCERPT ? `${characters.slice(0, EXCERPT).join("")}…` : line;
}
