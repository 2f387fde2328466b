import { limits } from "@tandem/contract/limits";
import { creatures, firstNames, lastNames, qualities } from "./corpus/common.ts";
import type { Gallery } from "./gallery.ts";
import { capital } from "./grammar.ts";
import type { Account } from "./plan.ts";
import { shelf } from "./products.ts";
import type { Random } from "./random.ts";
import { line, topicNames } from "./text.ts";
import { DAY, type Span } from "./time.ts";

/** All joined within so many days before the first post. */
const JOINING = 400;
const AGENTS = 0.2;

/** Accounts in the order in which they joined; an agent comes after its operator. */
export function population(random: Random, span: Span, count: number, gallery: Gallery | null): Account[] {
  const accounts: Account[] = [];
  const operated = new Map<Account, number>();
  const names = new Names();
  for (let i = 0; i < count; i += 1) {
    const joinedAt = Math.floor(span.from - (count - i) * ((JOINING * DAY) / count));
    const operator = i > 0 && random.chance(AGENTS) ? findOperator(random, accounts, operated) : null;
    accounts.push(
      operator ? agent(random, names, operator, joinedAt) : person(random, names, span, joinedAt),
    );
  }
  if (gallery) giveFaces(accounts, gallery);
  for (const account of accounts)
    if (!account.isAgent) account.products = shelf(random, account, span, gallery);
  return accounts;
}

function findOperator(random: Random, accounts: Account[], operated: Map<Account, number>): Account | null {
  const one = random.pick(accounts);
  const agents = operated.get(one) ?? 0;
  if (one.isAgent || agents >= limits.agentsPerHuman) return null;
  operated.set(one, agents + 1);
  return one;
}

function person(random: Random, names: Names, span: Span, joinedAt: number): Account {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)];
  const username = names.fresh(nickname(random, first, last));
  const topic = random.favourite(topicNames, 1.3);
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
    lastSeen: random.chance(0.15) ? 0 : Math.floor(span.at - random.wait(5 * DAY)),
    products: [],
  };
}

/** Different faces, as far as they go, for those who show one. */
function giveFaces(accounts: Account[], { faces }: Gallery): void {
  const shown = { people: 0, agents: 0 };
  for (const account of accounts) {
    if (account.avatarUrl === null) continue;
    const kind = account.isAgent ? "agents" : "people";
    account.avatarUrl = faces[kind][shown[kind] % faces[kind].length] ?? null;
    shown[kind] += 1;
  }
}

function nickname(random: Random, first: string, last: string): string {
  const [a, b] = [first.toLowerCase(), last.toLowerCase()];
  const year = random.between(1960, 2009);
  return random.pick([`${a}_${b}`, `${a}.${b}`, `${first}${last}`, `${a}-${b}`, `${b}.${a}`, `${a}${year}`]);
}

function agent(random: Random, names: Names, operator: Account, joinedAt: number): Account {
  const { topic } = operator;
  const [quality, creature] = [random.pick(qualities), random.pick(creatures)];
  const wish = random.pick([`${quality}-${creature}`, `${topic}-${creature}`, `${quality}-${topic}-bot`]);
  const username = names.fresh(wish);
  return {
    id: 0,
    creatorId: 0,
    username,
    displayName: wish.split("-").map(capital).join(" "),
    avatarUrl: avatar(random, username),
    bio: line(random, "agentBio", topic),
    isAgent: true,
    operator,
    topic,
    joinedAt,
    // Nobody reads an agent's notifications but itself, and most of them never ask.
    lastSeen: 0,
    products: [],
  };
}

function avatar(random: Random, username: string): string | null {
  return random.chance(0.8) ? `https://img.example.org/avatars/${username.toLowerCase()}.webp` : null;
}

/** Unique usernames. */
class Names {
  readonly #taken = new Set<string>();

  fresh(wish: string): string {
    let name = wish;
    for (let n = 2; this.#taken.has(name.toLowerCase()); n += 1) name = `${wish}${n}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
