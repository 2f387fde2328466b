import { limits } from "@tandem/contract/limits";
import { home, quotedRecord } from "../bluesky-records.ts";
import { webAddress } from "../clean/address.ts";
import { at, listAt, stringAt } from "../clean/json.ts";
import { lineOf } from "../clean/text.ts";
import { timeOrNull } from "../clean/time.ts";
import {
  type ArchivedAccount,
  ArchiveError,
  type ArchiveReader,
  type Collector,
  type FoundPost,
} from "./archive.ts";
import { carBlocks, cidOf, isCar } from "./car.ts";
import { escapeMarkdown, markdownBody, markdownLink } from "./to-markdown.ts";

/*
 * Bluesky: Settings > Account > Export my data. A CAR file with the account's repository. It has no pictures or videos, and no
 * bookmarks or mutes, which are private.
 */

/** Labels that authors give their own posts, for adult content. */
const adult = ["porn", "sexual", "nudity", "graphic-media"];

export const bluesky: ArchiveReader = {
  reads: (name) => name.endsWith(".car"),
  nameOf: (bytes) => (isCar(bytes) ? "repo.car" : null),

  read(files, collector) {
    for (const { bytes } of files) {
      const repository = repositoryIn(bytes);
      for (const [path, record] of repository.records) addRecord(repository, path, record, collector);
    }
  },
};

interface Repository {
  did: string;
  /** By `collection/key`. */
  records: Map<string, unknown>;
}

/** The records that the tree names. Its nodes say their paths; where they are in the tree doesn't matter. */
function repositoryIn(bytes: Buffer): Repository {
  const blocks = new Map<string, unknown>();
  const pathOf = new Map<string, string>();
  let did: string | null = null;
  for (const { cid, value } of carBlocks(bytes)) {
    if (stringAt(value, "$type")) blocks.set(cid, value);
    else if (Array.isArray(at(value, "e"))) addPaths(value, pathOf);
    else did ??= stringAt(value, "did");
  }
  if (!did || !DID.test(did)) throw new ArchiveError("damaged");
  const records = new Map<string, unknown>();
  for (const [path, cid] of pathOf) if (blocks.has(cid)) records.set(path, blocks.get(cid));
  return { did, records };
}

/** Each entry has the end of its path, and how much it shares with the path of the one before. */
function addPaths(node: unknown, pathOf: Map<string, string>): void {
  let path = "";
  for (const entry of listAt(node, "e")) {
    const [shared, end, cid] = [at(entry, "p"), at(entry, "k"), cidOf(at(entry, "v"))];
    if (typeof shared !== "number" || !(end instanceof Uint8Array) || cid === null)
      throw new ArchiveError("damaged");
    path = (path.slice(0, shared) + Buffer.from(end).toString("latin1")).slice(0, 1000);
    pathOf.set(path, cid);
  }
}

const DID = /^did:[a-z]+:[\w.:%-]{1,200}$/;

function addRecord({ did, records }: Repository, path: string, record: unknown, collector: Collector): void {
  const [collection, key] = path.split("/");
  if (collection === "app.bsky.feed.post" && key && collector.wants("posts"))
    collector.addPost(postOf(did, key, record));
  else if (collection === "app.bsky.feed.repost" && collector.wants("posts"))
    collector.leave("posts", "repost");
  else if (collection === "app.bsky.graph.follow") addAccount("follows", record, collector);
  else if (collection === "app.bsky.graph.block") addAccount("blocks", record, collector);
  else if (collection === "app.bsky.graph.listitem" && collector.wants("lists"))
    addMember(did, record, records, collector);
}

function addAccount(part: "follows" | "blocks", record: unknown, collector: Collector): void {
  if (!collector.wants(part)) return;
  const account = accountOf(record);
  if (account) collector.found[part].set(account.name, account);
  else collector.leave(part, "invalid");
}

/** The account that a record is about. */
function accountOf(record: unknown): ArchivedAccount | null {
  const did = stringAt(record, "subject");
  if (!did || !DID.test(did)) return null;
  const name = `${home}/profile/${did}`;
  return { name, author: null, platform: "bluesky", keyPrefix: `at://${did}/` };
}

/** Lists for moderation aren't imported: they name accounts to avoid. */
const READING_LIST = "app.bsky.graph.defs#curatelist";

function addMember(
  did: string,
  record: unknown,
  records: ReadonlyMap<string, unknown>,
  collector: Collector,
): void {
  const path = stringAt(record, "list")?.replace(`at://${did}/`, "") ?? "";
  const list = path.startsWith("app.bsky.graph.list/") ? records.get(path) : undefined;
  const account = accountOf(record);
  const name = lineOf(at(list, "name"), limits.listName);
  if (!list || !account || !name) collector.leave("lists", "invalid");
  else if (stringAt(list, "purpose") === READING_LIST)
    collector.found.lists.set(`${path} ${account.name}`, { ...account, list: name });
}

function postOf(did: string, key: string, record: unknown): FoundPost {
  if (!/^[\w.~:-]{1,200}$/.test(key)) return "invalid";
  if (at(record, "reply")) return "reply";
  const labels = listAt(record, "labels", "values").map((label) => at(label, "val"));
  // Its author asks that only those who are logged in to Bluesky see it.
  if (labels.includes("!no-unauthenticated")) return "not_public";
  const embed = at(record, "embed");
  const media = at(embed, "media") ?? embed;
  const external = webAddress(at(media, "external", "uri"));
  const quoted = pageOf(stringAt(quotedRecord(embed), "uri"));
  const text = markdownOf(stringAt(record, "text") ?? "", listAt(record, "facets"));
  return {
    key: `at://${did}/app.bsky.feed.post/${key}`,
    url: `${home}/profile/${did}/post/${key}`,
    title: null,
    body: markdownBody(external && quoted ? `${text}\n\n${quoted}` : text),
    link: external ?? quoted,
    postedAt: timeOrNull(at(record, "createdAt")),
    contentWarning: null,
    sensitive: labels.some((label) => adult.includes(label as string)),
    pictures: [],
    losesMedia: listAt(media, "images").length > 0 || at(media, "video") !== undefined,
  };
}

/** The page of a quoted post. */
function pageOf(uri: string | null): string | null {
  const [, did, key] =
    /^at:\/\/(did:[\w.:%-]{1,200})\/app\.bsky\.feed\.post\/([\w.~:-]{1,200})$/.exec(uri ?? "") ?? [];
  return did && key ? `${home}/profile/${did}/post/${key}` : null;
}

/** Links and mentions are ranges of the text's bytes in UTF-8. */
function markdownOf(text: string, facets: unknown[]): string {
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, url } of facets
    .flatMap((facet) => linkIn(facet) ?? [])
    .sort((a, b) => a.start - b.start)) {
    if (start < done || end > bytes.length) continue;
    pieces.push(
      escapeMarkdown(bytes.toString("utf8", done, start)),
      markdownLink(bytes.toString("utf8", start, end), url),
    );
    done = end;
  }
  return [...pieces, escapeMarkdown(bytes.toString("utf8", done))].join("");
}

function linkIn(facet: unknown): { start: number; end: number; url: string } | null {
  const [start, end] = [at(facet, "index", "byteStart"), at(facet, "index", "byteEnd")];
  if (!Number.isInteger(start) || !Number.isInteger(end) || Number(start) < 0 || Number(end) <= Number(start))
    return null;
  for (const feature of listAt(facet, "features")) {
    const did = stringAt(feature, "did");
    const url = stringAt(feature, "uri") ?? (did && `${home}/profile/${did}`);
    if (url) return { start: Number(start), end: Number(end), url };
  }
  return null;
}
