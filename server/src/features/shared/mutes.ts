import type { MuteType } from "@tandem/contract/mutes";
import { nativePlatform, origins, type Platform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { hasPhrase, MutableText, type Phrase, phraseOf, tagKey } from "./muted-text.ts";

/*
 * A mute of a person also covers the agents that they operate, or else they could send an agent; a mute of an agent covers that agent
 * alone. Nothing mutes what an account wrote itself.
 */

/** What a reader mutes at present. Few enough to be read with each page, and only for readers with mutes. */
export interface Mutes {
  /** The ids of muted creators, with those of muted people's agents. */
  readonly creators: readonly number[];
  /** The ids of their accounts. */
  readonly users: ReadonlySet<number>;
  /** Their names, as {@link nameOf} gives them. */
  readonly names: ReadonlySet<string>;
  readonly words: readonly Phrase[];
  /** Tags as {@link tagKey} gives them. */
  readonly tags: ReadonlySet<string>;
  /** The reader's own account. */
  readonly reader: Pick<Caller, "userId" | "username">;
}

/** A reader's mutes that haven't ended; null if there are none. Costs nothing for readers without any. */
export async function mutesOf(
  db: Db,
  caller: Pick<Caller, "userId" | "username" | "mutesChangeAt"> | null,
  now: number,
): Promise<Mutes | null> {
  if (!caller || caller.mutesChangeAt === null) return null;
  const rows = await activeMutes(db, { userId: caller.userId, now });
  if (rows.length === 0) return null;
  const creators = rows.flatMap(({ id, platform, author_key, user_id }) =>
    id !== null && platform !== null && author_key !== null && user_id !== caller.userId
      ? { id, user_id, name: nameOf(platform, author_key) }
      : [],
  );
  const texts = (type: MuteRow["type"]) =>
    rows.flatMap((row) => (row.type === type && row.folded !== null ? row.folded : []));
  return {
    creators: creators.map(({ id }) => id),
    users: new Set(creators.flatMap(({ user_id }) => user_id ?? [])),
    names: new Set(creators.map(({ name }) => name)),
    words: texts("word").map(phraseOf),
    tags: new Set(texts("tag")),
    reader: caller,
  };
}

interface MuteRow {
  type: MuteType;
  folded: string | null;
  id: number | null;
  user_id: number | null;
  platform: Platform | null;
  author_key: string | null;
}

const activeMutes = prepared<{ userId: number; now: number }, MuteRow>((db, { userId, now }) =>
  selectMutes(userId, now).compile(db),
);

/** One range of the reader's mutes, and for each account one lookup of its agents. SQLite keeps the order of cross joins. */
export function selectMutes(userId: number, now: number): RawBuilder<MuteRow> {
  const active = sql`m.user_id = ${userId} and (m.until_at is null or m.until_at > ${now})`;
  return sql<MuteRow>`
    select m.type, m.folded, c.id, c.user_id, c.platform, c.author_key
      from mutes m left join creators c on c.id = m.creator_id where ${active}
    union all
    select m.type, null, ac.id, ac.user_id, ac.platform, ac.author_key
      from mutes m cross join creators c cross join users a cross join creators ac
      where ${active} and c.id = m.creator_id and a.operator_id = c.user_id and ac.user_id = a.id`;
}

/** Names are compared without regard to case. */
const nameOf = (platform: Platform, author: string): string => `${platform}/${author.toLowerCase()}`;

/** Whether texts need to be looked at. */
export const muteTexts = ({ words, tags }: Mutes): boolean => words.length > 0 || tags.size > 0;

/** Whether any of these texts contains a muted word or tag. */
function isMutedText({ words, tags }: Mutes, texts: readonly MutableText[]): boolean {
  return texts.some(
    (text) =>
      (tags.size > 0 && text.tags.some((tag) => tags.has(tag))) ||
      (words.length > 0 && hasPhrase(text, words)),
  );
}

const mutable = (texts: readonly (string | null | undefined)[]): MutableText[] =>
  texts.flatMap((text) => (text ? new MutableText(text) : []));

type MutablePost = Pick<
  PostFacts,
  | "platform"
  | "author"
  | "title"
  | "body"
  | "community"
  | "contentWarning"
  | "alt"
  | "pictures"
  | "card"
  | "poll"
>;

/**
 * Whether a post is by a muted author, or contains a muted word or tag, and isn't the reader's own.
 *
 * @param texts what {@link textsOf} returns for it
 */
export function isMutedPost(mutes: Mutes, post: MutablePost, texts?: readonly MutableText[]): boolean {
  const { platform, author, community } = post;
  if (isOwnName(mutes, platform, author)) return false;
  if (mutes.names.has(nameOf(platform, author))) return true;
  if (!muteTexts(mutes)) return false;
  // On such a platform, a community is what a hashtag brings together.
  const isTag = platform !== nativePlatform && origins[platform].communityTerm === "hashtag";
  if (isTag && community !== null && mutes.tags.has(tagKey(community.replace(/^#/, "")))) return true;
  return isMutedText(mutes, texts ?? textsOf(post));
}

/** The texts of a post in which muted words and tags are looked for. */
export function textsOf(post: MutablePost): MutableText[] {
  const { title, body, contentWarning, alt, pictures = [], card, poll } = post;
  const described = [alt, ...pictures.map((picture) => picture.alt)];
  return mutable([
    title,
    body,
    contentWarning,
    ...(poll?.options ?? []),
    ...described,
    card?.title,
    card?.description,
  ]);
}

function isOwnName({ reader }: Mutes, platform: Platform, author: string): boolean {
  return platform === nativePlatform && author.toLowerCase() === reader.username.toLowerCase();
}

/** Whether what an account wrote is muted, because of the account or a text, and isn't the reader's own. */
export function isMutedWriting(
  mutes: Mutes,
  userId: number | null,
  texts: readonly (string | null)[],
): boolean {
  if (userId === mutes.reader.userId) return false;
  return (userId !== null && mutes.users.has(userId)) || isMutedText(mutes, mutable(texts));
}

/** Whether what an author on another platform wrote is muted. */
export function isMutedThere(mutes: Mutes, platform: Platform, author: string, text: string): boolean {
  return mutes.names.has(nameOf(platform, author)) || isMutedText(mutes, mutable([text]));
}
