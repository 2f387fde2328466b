import { limits } from "@tandem/contract/limits";
import type { OriginPlatform } from "@tandem/contract/origins";
import { webAddress } from "../clean/address.ts";
import { decode } from "../clean/charset.ts";
import { at, listAt, stringAt } from "../clean/json.ts";
import { lineOf, nameOf, plainOf, textOf } from "../clean/text.ts";
import { timeOrNull } from "../clean/time.ts";
import {
  type ArchivedPicture,
  ArchiveError,
  type ArchiveReader,
  type Collector,
  type FoundPost,
} from "./archive.ts";
import { csvHeader, csvRecords, csvRows } from "./csv.ts";
import { bodyOfPlain } from "./to-markdown.ts";

/*
 * Mastodon: Preferences > Import and export. The archive has `outbox.json` and `bookmarks.json` (ActivityStreams collections) and
 * media; the lists are CSV files of their own. Servers that are compatible with it export the same files.
 */

const PUBLIC = ["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"];
/** Platforms whose posts have addresses that all of them know. */
const federated: readonly OriginPlatform[] = ["mastodon", "lemmy", "piefed", "peertube"];
const names = /(?:^|\/)(?:outbox\.json|bookmarks\.json|bookmarks\.csv|following_accounts\.csv)$/;

export const mastodon: ArchiveReader = {
  reads: (name) => names.test(name),

  nameOf(bytes) {
    const text = decode(bytes.subarray(0, 100_000), null).trimStart();
    if (text.startsWith("{")) return "outbox.json";
    if (isFollowing(csvHeader(text))) return "following_accounts.csv";
    const [first] = csvRows(text);
    return webAddress(first?.[0]) === null ? null : "bookmarks.csv";
  },

  read(files, collector) {
    for (const { name, bytes } of files) {
      const text = decode(bytes, null);
      if (name.endsWith("outbox.json")) readOutbox(text, collector);
      else if (name.endsWith("following_accounts.csv")) readFollowing(text, collector);
      else addBookmarks(name.endsWith(".json") ? itemsOf(text) : addressesIn(text), collector);
    }
  },
};

/** The items of a collection. */
function itemsOf(text: string): unknown[] {
  try {
    const items = at(JSON.parse(text), "orderedItems");
    if (Array.isArray(items)) return items;
  } catch (cause) {
    throw new ArchiveError("damaged", { cause });
  }
  throw new ArchiveError("not_recognized");
}

function readOutbox(text: string, collector: Collector): void {
  for (const item of itemsOf(text)) {
    if (typeof item === "string") addBookmarks([item], collector);
    else if (collector.wants("posts")) collector.addPost(postOf(item));
  }
}

function postOf(activity: unknown): FoundPost {
  const type = at(activity, "type");
  if (type === "Announce") return "repost";
  const note = at(activity, "object");
  const id = stringAt(note, "id");
  if (type !== "Create" || !id) return "invalid";
  // Unlisted posts aren't meant to be found, and here anyone can search.
  const audience = at(note, "to") ?? at(activity, "to");
  if (![audience].flat().some((one) => PUBLIC.includes(one as string))) return "not_public";
  if (stringAt(note, "inReplyTo")) return "reply";
  const url = webAddress(at(note, "url")) ?? webAddress(id);
  const attached = listAt(note, "attachment");
  const pictures = attached.flatMap((one) => pictureOf(one) ?? []);
  return {
    key: id,
    url,
    title: nameOf(at(note, "type") === "Note" ? null : at(note, "name")),
    body: bodyOfPlain(textOfNote(note, url)),
    link: null,
    postedAt: timeOrNull(at(note, "published") ?? at(activity, "published")),
    contentWarning: lineOf(at(note, "summary"), limits.contentWarning),
    sensitive: at(note, "sensitive") === true,
    pictures,
    losesMedia: pictures.length < attached.length,
  };
}

function textOfNote(note: unknown, url: string | null): string {
  let text = plainOf(at(note, "content"), url ?? undefined);
  // The markup of a mention shows the name without its server.
  for (const tag of listAt(note, "tag").slice(0, 100)) {
    const [, name, server] = /^@([\w.-]{1,100})@([\w.-]{1,200})$/.exec(stringAt(tag, "name") ?? "") ?? [];
    if (name && server) text = text.replaceAll(mentionOf(name), `@${name}@${server}`);
  }
  const options = [...listAt(note, "oneOf"), ...listAt(note, "anyOf")].slice(0, 50);
  const list = options.map((option) => `• ${stringAt(option, "name") ?? ""}`).join("\n");
  return `${text}\n\n${list}`;
}

const mentionOf = (name: string) => new RegExp(`(?<![\\w@])@${name.replace(/[.-]/g, "\\$&")}(?![\\w@])`, "g");

function pictureOf(attachment: unknown): ArchivedPicture | null {
  const type = stringAt(attachment, "mediaType") ?? "";
  const path = /media_attachments\/.*$/.exec(stringAt(attachment, "url") ?? "")?.[0];
  if (!/^image\/(?:jpeg|png|webp|heic)$/.test(type) || !path) return null;
  return { path, alt: textOf(at(attachment, "name"), limits.alt) };
}

const isFollowing = (header: readonly string[]) => header[0] === "account address";

function readFollowing(text: string, collector: Collector): void {
  if (!collector.wants("follows")) return;
  for (const row of csvRecords(text)) {
    const author = nameOf((row["account address"] ?? "").replace(/^@/, ""));
    if (author?.includes("@"))
      collector.follows.set(author.toLowerCase(), { name: author, author, platform: null });
    else collector.leave("follows", "invalid");
  }
}

function* addressesIn(text: string): Generator<string> {
  for (const [address = ""] of csvRows(text)) yield address;
}

function addBookmarks(addresses: Iterable<unknown>, collector: Collector): void {
  if (!collector.wants("bookmarks")) return;
  for (const given of addresses) {
    const name = webAddress(given);
    if (name) collector.bookmarks.set(name, { name, key: name, platforms: federated });
    else collector.leave("bookmarks", "invalid");
  }
}
