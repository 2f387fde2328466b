import type { ImportPart } from "@tandem/contract/imports";
import { limits } from "@tandem/contract/limits";
import type { OriginPlatform } from "@tandem/contract/origins";
import { webAddress } from "../clean/address.ts";
import { decode } from "../clean/charset.ts";
import { at, listAt, stringAt } from "../clean/json.ts";
import { lineOf, nameOf, plainOf, textOf } from "../clean/text.ts";
import { timeOrNull } from "../clean/time.ts";
import {
  type ArchivedAccount,
  type ArchivedPicture,
  ArchiveError,
  type ArchiveReader,
  type Collector,
  type FoundPost,
} from "./archive.ts";
import { csvHeader, csvRows } from "./csv.ts";
import { bodyOfPlain } from "./to-markdown.ts";

/*
 * Mastodon: Preferences > Import and export. The archive has `outbox.json` and `bookmarks.json` (ActivityStreams collections) and
 * media; the rest are CSV files of their own, some without a header. Servers that are compatible with it export the same files.
 */

const PUBLIC = ["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"];
/** Platforms whose posts have addresses that all of them know. */
const federated: readonly OriginPlatform[] = ["mastodon", "lemmy", "piefed", "peertube"];

/** What each table lists, by its name. */
const tables = {
  "following_accounts.csv": "follows",
  "muted_accounts.csv": "mutes",
  "blocked_accounts.csv": "blocks",
  "lists.csv": "lists",
  "bookmarks.csv": "bookmarks",
} as const;
type Table = keyof typeof tables;

const names = /(?:^|\/)(outbox\.json|bookmarks\.json|[a-z_]+\.csv)$/;
const baseOf = (name: string) => names.exec(name)?.[1] ?? "";
const isTable = (name: string): name is Table => Object.hasOwn(tables, name);

export const mastodon: ArchiveReader = {
  reads(name) {
    const base = baseOf(name);
    return base.endsWith(".json") || isTable(base);
  },

  nameOf(bytes, parts) {
    const text = decode(bytes.subarray(0, 100_000), null).trimStart();
    return text.startsWith("{") ? "outbox.json" : tableOf(text, parts);
  },

  read(files, collector) {
    for (const { name, bytes } of files) {
      const text = decode(bytes, null);
      const base = baseOf(name);
      if (base === "outbox.json") readOutbox(text, collector);
      else if (isTable(base)) readTable(base, text, collector);
      else addBookmarks(itemsOf(text), collector);
    }
  },
};

const HEADER = "account address";

/**
 * Recognizes a table by its first row: some have a header, and the others differ in their columns. Mastodon's list of blocked accounts has
 * none, as other software's lists of followed ones.
 */
function tableOf(text: string, parts: readonly ImportPart[]): Table | null {
  const header = csvHeader(text);
  if (header[0] === HEADER)
    return header.includes("hide notifications") ? "muted_accounts.csv" : "following_accounts.csv";
  const [first = []] = csvRows(text);
  if (webAddress(first[0]) !== null) return "bookmarks.csv";
  if (first.length === 1 && accountOf(first[0]))
    return parts.includes("blocks") || !parts.includes("follows")
      ? "blocked_accounts.csv"
      : "following_accounts.csv";
  return first.length === 2 && accountOf(first[1]) ? "lists.csv" : null;
}

function readTable(table: Table, text: string, collector: Collector): void {
  const part = tables[table];
  if (part === "bookmarks") addBookmarks(addressesIn(text), collector);
  else if (collector.wants(part))
    for (const row of csvRows(text))
      if (row[0]?.trim().toLowerCase() !== HEADER) addRow(part, row, collector);
}

function addRow(part: "follows" | "mutes" | "blocks" | "lists", row: string[], collector: Collector): void {
  const list = lineOf(row[0], limits.listName);
  const account = accountOf(part === "lists" ? row[1] : row[0]);
  if (!account || !list) collector.leave(part, "invalid");
  else if (part === "lists") collector.found.lists.set(`${list} ${keyOf(account)}`, { ...account, list });
  else collector.found[part].set(keyOf(account), account);
}

const keyOf = ({ name }: ArchivedAccount) => name.toLowerCase();

/** An account of another server, by its address. */
function accountOf(address: string | undefined): ArchivedAccount | null {
  const author = nameOf((address ?? "").trim().replace(/^@/, ""));
  return author && /^[^@\s]+@[^@\s]+$/.test(author) ? { name: author, author, platform: null } : null;
}

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

function* addressesIn(text: string): Generator<string> {
  for (const [address = ""] of csvRows(text)) yield address;
}

function addBookmarks(addresses: Iterable<unknown>, collector: Collector): void {
  if (!collector.wants("bookmarks")) return;
  for (const given of addresses) {
    const name = webAddress(given);
    if (name) collector.found.bookmarks.set(name, { name, key: name, platforms: federated });
    else collector.leave("bookmarks", "invalid");
  }
}
