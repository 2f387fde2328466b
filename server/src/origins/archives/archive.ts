import type { ImportOutcome, ImportPart, ImportPlatform, ImportProblem } from "@tandem/contract/imports";
import type { OriginPlatform } from "@tandem/contract/origins";

/** A post in an export, as it will be here. */
export interface ArchivedPost {
  /** Identifies it on its platform. */
  key: string;
  /** Its address there. */
  url: string | null;
  title: string | null;
  /** In Markdown. */
  body: string | null;
  link: string | null;
  /** Milliseconds since 1970. */
  postedAt: number;
  contentWarning: string | null;
  sensitive: boolean;
  /** Those that can be imported. */
  pictures: ArchivedPicture[];
  /** Whether it had media that the export doesn't have, or that can't be imported. */
  losesMedia: boolean;
}

export interface ArchivedPicture {
  /** The end of its path in the archive; after it is extracted, its path on the disk. */
  path: string;
  alt: string | null;
}

/** Someone the account followed, muted or blocked. */
export interface ArchivedAccount {
  /** What the list of missing ones shows. */
  name: string;
  /** Null if the export doesn't say the name. */
  author: string | null;
  /** Null if the author's name says enough, because it contains a server. */
  platform: OriginPlatform | null;
  /** How the keys of its posts begin, if it is known only by an id. */
  keyPrefix?: string;
}

/** Someone on a list of the account. */
export interface ArchivedMember extends ArchivedAccount {
  /** The list's name. */
  list: string;
}

/** A community of Reddit that the account followed. */
export interface ArchivedCommunity {
  name: string;
  community: string;
}

export interface ArchivedBookmark {
  /** The address of the post. */
  name: string;
  /** Its key, if it was imported from any of these platforms. */
  key: string;
  platforms: readonly OriginPlatform[];
}

/** A post as a reader found it, perhaps without a valid time; or why it can't be imported. */
export type FoundPost = (Omit<ArchivedPost, "postedAt"> & { postedAt: number | null }) | ImportOutcome;

/** The items of each part. */
export interface Archived extends Record<ImportPart, unknown> {
  posts: ArchivedPost;
  follows: ArchivedAccount;
  communities: ArchivedCommunity;
  lists: ArchivedMember;
  mutes: ArchivedAccount;
  blocks: ArchivedAccount;
  bookmarks: ArchivedBookmark;
}

/** What an export contains. Its items are on the disk: see `items.ts`. */
export interface Contents {
  /** How many there are of each part. */
  totals: Record<ImportPart, number>;
  /** What is left out, and why. */
  left: { part: ImportPart; outcome: ImportOutcome; count: number }[];
}

/** What to read from an export. */
export interface ArchiveTask {
  path: string;
  platform: ImportPlatform;
  parts: readonly ImportPart[];
  /** Where extracted pictures and the items go. */
  folder: string;
  /** Milliseconds since 1970; later posts are invalid. */
  now: number;
}

/** A file of an export, in memory. */
export interface ArchivedText {
  /** Its path in the archive. */
  name: string;
  bytes: Buffer;
}

/** Reads the exports of a platform. */
export interface ArchiveReader {
  /** Whether it reads this file, which may be in a folder. */
  reads(name: string): boolean;
  /** The name of a file that was uploaded alone, from its content and what is wanted; null if the platform has none like it. */
  nameOf(bytes: Buffer, parts: readonly ImportPart[]): string | null;
  /** Gets the files that it reads, in the order of the archive. */
  read(files: readonly ArchivedText[], collector: Collector): void;
}

/** Why an archive can't be imported. */
export class ArchiveError extends Error {
  override name = "ArchiveError";
  readonly problem: ImportProblem;

  constructor(problem: ImportProblem, options?: ErrorOptions) {
    super(`The archive can't be imported: ${problem}.`, options);
    this.problem = problem;
  }
}

/** More items of a kind than any account has. Growing a larger map could exceed the memory limit at once, which ends the process. */
const MOST_ITEMS = 500_000;

class Items<Item> extends Map<string, Item> {
  override set(key: string, item: Item): this {
    if (this.size >= MOST_ITEMS) throw new ArchiveError("too_large");
    return super.set(key, item);
  }
}

/** Collects what readers find, each item once. */
export class Collector {
  readonly found: { readonly [Part in ImportPart]: Items<Archived[Part]> } = {
    posts: new Items(),
    follows: new Items(),
    communities: new Items(),
    lists: new Items(),
    mutes: new Items(),
    blocks: new Items(),
    bookmarks: new Items(),
  };
  readonly #left = new Map<string, Contents["left"][number]>();
  readonly #parts: readonly ImportPart[];
  readonly #now: number;

  constructor({ parts, now }: Pick<ArchiveTask, "parts" | "now">) {
    this.#parts = parts;
    this.#now = now;
  }

  wants(part: ImportPart): boolean {
    return this.#parts.includes(part);
  }

  leave(part: ImportPart, outcome: ImportOutcome, count = 1): void {
    const key = `${part} ${outcome}`;
    const before = this.#left.get(key)?.count ?? 0;
    if (count > 0) this.#left.set(key, { part, outcome, count: before + count });
  }

  /** Adds a post, or counts why it can't be. Without a time, or with one to come, it would be sorted wrongly. */
  addPost(found: FoundPost): void {
    if (typeof found === "string") this.leave("posts", found);
    else if (found.postedAt === null || found.postedAt > this.#now) this.leave("posts", "invalid");
    else if (isEmpty(found)) this.leave("posts", "empty");
    else this.found.posts.set(found.key, { ...found, postedAt: found.postedAt });
  }

  get left(): Contents["left"] {
    return [...this.#left.values()];
  }
}

const isEmpty = ({ title, body, link, pictures }: Omit<ArchivedPost, "postedAt">) =>
  title === null && body === null && link === null && pictures.length === 0;
