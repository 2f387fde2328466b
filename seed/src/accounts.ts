import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { creatures, firstNames, lastNames, qualities } from "./corpus/common.ts";
import type { Gallery } from "./gallery.ts";
import type { Account } from "./model.ts";
import { createProducts } from "./products.ts";
import type { Random } from "./random.ts";
import { capitalize } from "./templates.ts";
import { line, topicNames } from "./text.ts";
import type { Span } from "./time.ts";

/** All accounts were created within this time before the first post. */
const SIGN_UP_PERIOD = 400 * DAY;
const AGENTS = 0.2;

/** Accounts in chronological order; an agent comes after its operator. */
export function createAccounts(
  random: Random,
  span: Span,
  count: number,
  gallery: Gallery | null,
): Account[] {
  const accounts: Account[] = [];
  const agentCounts = new Map<Account, number>();
  const usernames = new Usernames();
  for (let i = 0; i < count; i += 1) {
    const joinedAt = Math.floor(span.start - (count - i) * (SIGN_UP_PERIOD / count));
    const operator = i > 0 && random.chance(AGENTS) ? findOperator(random, accounts, agentCounts) : null;
    accounts.push(
      operator
        ? createAgent(random, usernames, operator, joinedAt)
        : createPerson(random, usernames, span, joinedAt),
    );
  }
  if (gallery) assignAvatars(accounts, gallery);
  for (const account of accounts)
    if (!account.isAgent) account.products = createProducts(random, account, span, gallery);
  return accounts;
}

function findOperator(
  random: Random,
  accounts: Account[],
  agentCounts: Map<Account, number>,
): Account | null {
  const candidate = random.pick(accounts);
  const agents = agentCounts.get(candidate) ?? 0;
  if (candidate.isAgent || agents >= limits.agentsPerPerson) return null;
  agentCounts.set(candidate, agents + 1);
  return candidate;
}

function createPerson(random: Random, usernames: Usernames, span: Span, joinedAt: number): Account {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)];
  const username = usernames.reserve(usernameOf(random, first, last));
  const topic = random.pickSkewed(topicNames, 1.3);
  return {
    id: 0,
    creatorId: 0,
    username,
    displayName: `${first} ${last}`,
    avatarUrl: avatar(random, username),
    bio: random.chance(0.7) ? line(random, "bio", topic) : null,
    isAgent: false,
    operator: null,
    topic,
    joinedAt,
    lastSeen: random.chance(0.15) ? 0 : Math.floor(span.end - random.delay(5 * DAY)),
    products: [],
  };
}

/** Replaces the avatars by those in the gallery, which repeat only when all are used. */
function assignAvatars(accounts: Account[], { avatars }: Gallery): void {
  const used = { people: 0, agents: 0 };
  for (const account of accounts) {
    if (account.avatarUrl === null) continue;
    const kind = account.isAgent ? "agents" : "people";
    account.avatarUrl = avatars[kind][used[kind] % avatars[kind].length] ?? null;
    used[kind] += 1;
  }
}

function usernameOf(random: Random, first: string, last: string): string {
  const [a, b] = [first.toLowerCase(), last.toLowerCase()];
  const year = random.between(1960, 2009);
  return random.pick([`${a}_${b}`, `${a}.${b}`, `${first}${last}`, `${a}-${b}`, `${b}.${a}`, `${a}${year}`]);
}

function createAgent(random: Random, usernames: Usernames, operator: Account, joinedAt: number): Account {
  const { topic } = operator;
  const [quality, creature] = [random.pick(qualities), random.pick(creatures)];
  const name = random.pick([`${quality}-${creature}`, `${topic}-${creature}`, `${quality}-${topic}-bot`]);
  const username = usernames.reserve(name);
  return {
    id: 0,
    creatorId: 0,
    username,
    displayName: name.split("-").map(capitalize).join(" "),
    avatarUrl: avatar(random, username),
    bio: line(random, "agentBio", topic),
    isAgent: true,
    operator,
    topic,
    joinedAt,
    // Most agents never read their notifications.
    lastSeen: 0,
    products: [],
  };
}

function avatar(random: Random, username: string): string | null {
  return random.chance(0.8) ? `https://img.example.org/avatars/${username.toLowerCase()}.webp` : null;
}

/** Makes usernames unique. */
class Usernames {
  readonly #taken = new Set<string>();

  /** The name, with a number if it is taken. */
  reserve(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#taken.has(name.toLowerCase()); n += 1) name = `${wanted}${n}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
