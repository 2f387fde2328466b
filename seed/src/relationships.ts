import { DAY, HOUR, MINUTE } from "@tandem/contract/durations";
import type { Account } from "./model.ts";
import type { Random } from "./random.ts";
import { conversationText } from "./text.ts";
import type { World } from "./world.ts";

/** Means per person. */
const FRIENDS = 3;
const REQUESTS = 0.4;
const MAX_FRIENDS = 60;
const MAX_REQUESTS = 20;
/** The share of people who block someone. */
const BLOCKERS = 0.03;
/** The share of people who mute an account, a word and a tag. */
const MUTERS = 0.03;
const MUTED_WORDS = ["spoiler", "giveaway", "limited time offer", "hot take"] as const;
const MUTED_TAGS = ["ad", "promo", "monday"] as const;
const LISTS = ["Makers", "Close friends", "Worth reading"] as const;
/** Creators on a list. */
const LISTED = 8;
/** The share of friends who write to each other. */
const FRIENDS_IN_TOUCH = 0.23;
/** The share of people who write to an agent. */
const TO_AGENTS = 0.25;
/** The share of conversations that end with an unread message. */
const UNREAD = 0.35;
/** The share of friendships that are new enough for a notification. */
const NEW_FRIENDS = 0.1;
/** The first people of each group have more of everything, so that they show all features. */
const SHOWCASED = 3;
const MIN_SHOWCASED_FRIENDS = 5;

export interface FriendEvent {
  type: "request" | "friendship";
  from: Account;
  to: Account;
  at: number;
  /** Whether `from` is notified of the friendship. */
  isNew: boolean;
}

export interface Block {
  by: Account;
  other: Account;
  at: number;
}

export interface Mute {
  by: Account;
  other: Account;
  word: string;
  tag: string;
  at: number;
}

export interface Conversation {
  from: Account;
  to: Account;
  /** Sent in turns. */
  messages: { body: string; at: number }[];
  hasUnread: boolean;
}

export interface List {
  by: Account;
  name: string;
  /** May name someone twice. */
  members: Account[];
  at: number;
}

/** A followed hashtag, and a saved search for what people say about it. */
export interface Interest {
  by: Account;
  tag: string;
  at: number;
}

export interface Relationships {
  /** In chronological order. */
  friendEvents: FriendEvent[];
  blocks: Block[];
  mutes: Mute[];
  interests: Interest[];
  lists: List[];
  conversations: Conversation[];
}

/** The relationships among these accounts. `first` is the number of the first. */
export function createRelationships(world: World, accounts: Account[], first: number): Relationships {
  const random = world.random("relationships", first);
  const people = accounts.filter(({ isAgent }) => !isAgent);
  if (people.length < 4)
    return { friendEvents: [], blocks: [], mutes: [], interests: [], lists: [], conversations: [] };
  const showcased = people.slice(0, SHOWCASED);
  const isShowcased = (person: Account) => showcased.includes(person);
  const firstAgent = accounts.find(({ isAgent }) => isAgent);
  const { end } = world.span;
  const pairs = new Pairs(random, people);
  const friends = people.flatMap((person) => {
    const count = random.longTail(FRIENDS, MAX_FRIENDS);
    return pairs.with(person, count + (isShowcased(person) ? MIN_SHOWCASED_FRIENDS : 0));
  });
  const requests = people.flatMap((person) =>
    pairs.with(person, isShowcased(person) ? 2 : random.longTail(REQUESTS, MAX_REQUESTS)),
  );
  const blockers = people.filter((person) => random.chance(BLOCKERS) || person === showcased[0]);
  const friendEvents = [
    ...friends.map((pair) => createFriendship(random, pair, end)),
    ...requests.map(
      ([from, to]): FriendEvent => ({
        type: "request",
        from,
        to,
        at: withinLastHour(random, end),
        isNew: true,
      }),
    ),
  ];
  return {
    friendEvents: friendEvents.sort((a, b) => a.at - b.at),
    blocks: blockers.flatMap((by) =>
      pairs.with(by, 1).map(([a, b]) => ({
        by,
        other: a === by ? b : a,
        at: Math.floor(end - random.next() * 30 * DAY),
      })),
    ),
    mutes: createMutes(world.random("mutes", first), people, isShowcased, end),
    interests: showcased.map((by) => ({ by, tag: by.topic, at: end - DAY })),
    lists: createLists(
      world.random("lists", first),
      accounts,
      // Also the operator of the first agent, whose console and drafts are full.
      people.filter((person) => isShowcased(person) || person === firstAgent?.operator),
      end,
    ),
    conversations: createConversations(random, accounts, friends, isShowcased, end),
  };
}

/** The first person of each group mutes, and some others. */
function createMutes(
  random: Random,
  people: Account[],
  isShowcased: (person: Account) => boolean,
  end: number,
): Mute[] {
  const mutable = people.filter((person) => !isShowcased(person));
  return people.flatMap((by, i) => {
    const other = random.pick(mutable);
    if ((i > 0 && !random.chance(MUTERS)) || other === undefined || other === by) return [];
    const at = Math.floor(end - random.next() * 30 * DAY);
    return { by, other, word: random.pick(MUTED_WORDS), tag: random.pick(MUTED_TAGS), at };
  });
}

/** Lists of people and agents, one for each of these people. */
function createLists(random: Random, accounts: Account[], people: Account[], end: number): List[] {
  return people.map((by) => {
    const members = Array.from({ length: LISTED }, () => random.pick(accounts));
    const at = Math.floor(end - random.next() * 30 * DAY);
    return { by, name: random.pick(LISTS), members: members.filter((member) => member !== by), at };
  });
}

type Pair = [Account, Account];

/** Picks pairs of people, each at most once. */
class Pairs {
  readonly #random: Random;
  readonly #people: Account[];
  readonly #taken = new Set<string>();

  constructor(random: Random, people: Account[]) {
    this.#random = random;
    this.#people = people;
  }

  /** Up to `count` new pairs of this person and others, in either order. */
  with(person: Account, count: number): Pair[] {
    const found: Pair[] = [];
    for (let tries = 2 * count; found.length < count && tries > 0; tries -= 1) {
      const other = this.#random.pickSkewed(this.#people, 1.5);
      const key = keyOf(person, other);
      if (other === person || this.#taken.has(key)) continue;
      this.#taken.add(key);
      found.push(this.#random.chance(0.5) ? [person, other] : [other, person]);
    }
    return found;
  }
}

function keyOf(a: Account, b: Account): string {
  return [a.username, b.username].sort().join(" ");
}

function createFriendship(random: Random, [from, to]: Pair, end: number): FriendEvent {
  const common = { type: "friendship", from, to } as const;
  if (random.chance(NEW_FRIENDS)) return { ...common, at: withinLastHour(random, end), isNew: true };
  const bothJoined = Math.max(from.joinedAt, to.joinedAt);
  return { ...common, at: Math.floor(bothJoined + (end - bothJoined) * random.next()), isNew: false };
}

/** Late enough that its notification comes after those of posts. */
function withinLastHour(random: Random, end: number): number {
  return Math.floor(end - random.next() * HOUR);
}

/** Friends write to each other. Agents only reply to people. */
function createConversations(
  random: Random,
  accounts: Account[],
  friends: Pair[],
  isShowcased: (person: Account) => boolean,
  end: number,
): Conversation[] {
  const agents = accounts.filter(({ isAgent }) => isAgent);
  const conversations = new Map<string, Conversation>();
  const add = (from: Account, to: Account) =>
    conversations.set(keyOf(from, to), createConversation(random, from, to, end));
  for (const [a, b] of friends)
    if (random.chance(isShowcased(a) || isShowcased(b) ? 1 : FRIENDS_IN_TOUCH)) add(a, b);
  for (const account of accounts)
    if (!account.isAgent && agents.length > 0 && random.chance(isShowcased(account) ? 1 : TO_AGENTS))
      add(account, random.pickSkewed(agents, 1.5));
  return [...conversations.values()];
}

function createConversation(random: Random, from: Account, to: Account, end: number): Conversation {
  const names = { me: firstName(from), you: firstName(to), withAgent: to.isAgent };
  const lines = conversationText(random, to.topic, names);
  const hasUnread = random.chance(UNREAD);
  const count = hasUnread ? random.between(1, lines.length) : lines.length;
  let at = Math.floor(end - Math.min(random.delay(6 * DAY), 50 * DAY));
  const messages = lines.slice(0, count).map((body, i) => {
    if (i > 0) at = Math.floor(Math.min(at + 20_000 + random.delay(8 * MINUTE), at + 0.4 * (end - at)));
    return { body, at };
  });
  return { from, to, messages, hasUnread };
}

function firstName({ displayName }: Account): string {
  return displayName.split(" ")[0] ?? displayName;
}
