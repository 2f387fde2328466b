import { insertRows } from "../../storage/bulk.ts";
import type { Db } from "../../storage/storage.ts";
import { FOLLOWERS } from "./ending.ts";
import type { Account, Notice } from "./plan.ts";
import type { Random } from "./random.ts";
import { tellReaders } from "./tallies.ts";
import { talk } from "./text.ts";
import { DAY, HOUR, MINUTE } from "./time.ts";
import type { World } from "./world.ts";
import { addNotices } from "./write-batch.ts";
import { assignIds } from "./write-world.ts";

/** Means for a person. */
const FRIENDS = 3;
const MOST_FRIENDS = 60;
const REQUESTS = 0.4;
const TALKS = 0.7;
const BLOCKING = 0.03;
/** Whoever is shown around finds at least so many of each. */
const FEWEST = { friends: 5, talks: 5 };
const TO_AGENTS = 0.25;
/** How many conversations are left as they were begun. */
const UNREAD = 0.35;

interface Pair {
  from: Account;
  to: Account;
  at: number;
}

interface Talk extends Pair {
  lines: string[];
  /** Of the last ones, so many are not read yet. */
  unread: number;
}

interface Message {
  id: number;
  conversation_id: number;
  side: number;
  body: string;
  is_ai: number;
  created_at: number;
}

/** Friendships, friend requests, blocks and conversations between accounts. */
export async function writeRelationships(tx: Db, world: World, first: number): Promise<void> {
  const random = world.random("between", first);
  const accounts = world.accounts.slice(first, first + FOLLOWERS);
  const people = accounts.filter((one) => !one.isAgent);
  if (people.length < 4) return;
  const shown = people.slice(0, 3);
  const taken = new Set<string>();
  const friends = people.flatMap((one) => {
    const least = shown.includes(one) ? FEWEST.friends : 0;
    return pairs(random, one, people, { taken, count: least + random.longTail(FRIENDS, MOST_FRIENDS) });
  });
  const asking = people.flatMap((one) =>
    pairs(random, one, people, { taken, count: shown.includes(one) ? 2 : random.longTail(REQUESTS, 20) }),
  );
  const blocked = people.flatMap((one) =>
    random.chance(BLOCKING) || one === shown[0]
      ? pairs(random, one, people, { taken, count: 1 }).map(([a, b]): Two => (a === one ? [a, b] : [b, a]))
      : [],
  );
  await addFriends(tx, random, world, friends);
  const requests = await addRequests(tx, random, world, asking);
  await addBlocks(tx, random, world, blocked);
  await addTalks(tx, random, world, talksAmong(random, world, accounts, friends));
  await tellOf(tx, random, world, { friends, requests });
}

type Two = [Account, Account];

/** This account and some others that nothing was said of yet; the newer of two comes first. */
function pairs(
  random: Random,
  one: Account,
  people: Account[],
  { taken, count }: { taken: Set<string>; count: number },
): Two[] {
  const found: Two[] = [];
  for (let tries = 2 * count; found.length < count && tries > 0; tries -= 1) {
    const other = random.favourite(people, 1.5);
    const name = [one.id, other.id].sort((a, b) => a - b).join(" ");
    if (other === one || taken.has(name)) continue;
    taken.add(name);
    found.push(random.chance(0.5) ? [one, other] : [other, one]);
  }
  return found;
}

async function addFriends(tx: Db, random: Random, { span }: World, friends: Two[]): Promise<void> {
  const rows = friends.flatMap(([a, b]) => {
    const met = Math.max(a.joinedAt, b.joinedAt);
    const since = Math.floor(met + (span.at - met) * random.next());
    return [
      { user_id: a.id, friend_id: b.id, since },
      { user_id: b.id, friend_id: a.id, since },
    ];
  });
  rows.sort((a, b) => a.user_id - b.user_id || a.friend_id - b.friend_id);
  await insertRows(tx, "friendships", rows);
}

async function addRequests(tx: Db, random: Random, { span }: World, asking: Two[]): Promise<Pair[]> {
  const requests = asking.map(([from, to]) => ({ id: 0, from, to, at: shortlyBefore(random, span.at) }));
  requests.sort((a, b) => a.at - b.at);
  await assignIds(tx, "friend_requests", requests);
  const rows = requests.map(({ id, from, to, at }) => ({
    id,
    from_id: from.id,
    to_id: to.id,
    created_at: at,
  }));
  await insertRows(tx, "friend_requests", rows);
  return requests;
}

/** Within the last hour, so that what is told of it comes after all that was told before. */
function shortlyBefore(random: Random, at: number): number {
  return Math.floor(at - random.next() * HOUR);
}

async function addBlocks(tx: Db, random: Random, { span }: World, blocked: Two[]): Promise<void> {
  const rows = blocked.flatMap(([by, other]) => [
    { user_id: by.id, other_id: other.id, blocked_at: Math.floor(span.at - random.next() * 30 * DAY) },
    { user_id: other.id, other_id: by.id, blocked_at: null },
  ]);
  rows.sort((a, b) => a.user_id - b.user_id || a.other_id - b.other_id);
  await insertRows(tx, "blocks", rows);
  for (const [by, other] of blocked) {
    await tx.updateTable("users").set({ has_blocks: 1 }).where("id", "in", [by.id, other.id]).execute();
    await unfollow(tx, by, other);
    await unfollow(tx, other, by);
  }
}

async function unfollow(tx: Db, by: Account, { creatorId }: Account): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom("follows")
    .where("user_id", "=", by.id)
    .where("creator_id", "=", creatorId)
    .executeTakeFirst();
  await tx
    .updateTable("creators")
    .set((eb) => ({ follower_count: eb("follower_count", "-", Number(numDeletedRows)) }))
    .where("id", "=", creatorId)
    .execute();
}

/** Friends write to one another, and people to agents: these answer, and never begin. */
function talksAmong(random: Random, { span }: World, accounts: Account[], friends: Two[]): Talk[] {
  const shown = accounts.filter((one) => !one.isAgent).slice(0, 3);
  const agents = accounts.filter((one) => one.isAgent);
  const talks = new Map<string, Talk>();
  const begin = (from: Account, to: Account) => {
    const names = { me: firstName(from), you: firstName(to), withAgent: to.isAgent };
    const lines = talk(random, to.topic, names);
    const open = random.chance(UNREAD);
    const at = Math.floor(span.at - Math.min(random.wait(6 * DAY), 50 * DAY));
    const key = [from.id, to.id].sort((a, b) => a - b).join(" ");
    talks.set(key, {
      from,
      to,
      at,
      lines: open ? lines.slice(0, random.between(1, lines.length)) : lines,
      unread: open ? 1 : 0,
    });
  };
  for (const [a, b] of friends) {
    const often = shown.includes(a) || shown.includes(b) ? 1 : TALKS / FRIENDS;
    if (random.chance(often)) begin(a, b);
  }
  for (const one of accounts)
    if (!one.isAgent && agents.length > 0 && random.chance(shown.includes(one) ? 1 : TO_AGENTS))
      begin(one, random.favourite(agents, 1.5));
  return [...talks.values()];
}

function firstName({ displayName }: Account): string {
  return displayName.split(" ")[0] ?? displayName;
}

async function addTalks(tx: Db, random: Random, { span }: World, talks: Talk[]): Promise<void> {
  const conversations = talks.map((one) => ({ ...one, id: 0 }));
  await assignIds(tx, "conversations", conversations);
  const messages = conversations.flatMap((one) => messagesOf(random, one, span.at));
  messages.sort((a, b) => a.created_at - b.created_at || a.conversation_id - b.conversation_id);
  await assignIds(tx, "messages", messages);
  const last = new Map(messages.map((one) => [one.conversation_id, one]));
  await insertRows(
    tx,
    "conversations",
    conversations.map(({ id, at, lines }) => ({ id, answered: lines.length > 1 ? 1 : 0, created_at: at })),
  );
  await insertRows(tx, "messages", messages);
  const sides = conversations.flatMap(({ id, from, to, unread }) =>
    [from, to].map((one, side) => ({
      conversation_id: id,
      side,
      user_id: one.id,
      other_id: (side === 0 ? to : from).id,
      last_id: last.get(id)?.id ?? 0,
      unread: last.get(id)?.side === side ? 0 : unread,
    })),
  );
  await insertRows(tx, "conversation_sides", sides);
}

function messagesOf(random: Random, talk: Talk & { id: number }, end: number): Message[] {
  let at = talk.at;
  return talk.lines.map((body, i) => {
    const side = i % 2;
    if (i > 0) at = Math.floor(Math.min(at + 20_000 + random.wait(8 * MINUTE), at + 0.4 * (end - at)));
    const is_ai = side === 1 && talk.to.isAgent ? 1 : 0;
    return { id: 0, conversation_id: talk.id, side, body, is_ai, created_at: at };
  });
}

async function tellOf(
  tx: Db,
  random: Random,
  { span }: World,
  { friends, requests }: { friends: Two[]; requests: Pair[] },
): Promise<void> {
  const told = (type: Notice["type"], { from, to, at }: Pair): Notice => ({
    ...{ id: 0, type, to, by: from, at },
    ...{ post: null, comment: null },
  });
  const accepted = friends.filter(() => random.chance(0.1));
  const notices = [
    ...requests.map((one) => told("friend_request", one)),
    ...accepted.map(([from, to]) => told("friend_accept", { from, to, at: shortlyBefore(random, span.at) })),
  ];
  notices.sort((a, b) => a.at - b.at);
  await addNotices(tx, notices);
  await tellReaders(tx, notices);
}
