import { createHash } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { nativePlatform } from "@tandem/contract/origins";
import { authorKey } from "../../features/creators/creators.queries.ts";
import { insertRows } from "../../storage/bulk.ts";
import { fold } from "../../storage/fold.ts";
import type { Db } from "../../storage/storage.ts";
import { Refusal } from "../refusal.ts";
import type { Account } from "./plan.ts";
import type { World } from "./world.ts";

/** The password of all demo accounts. */
export const DEMO_PASSWORD = "tandem-demo";

/** Hashed once for all accounts, with a fixed salt, so that the data is deterministic. */
export function demoPasswordHash(): Promise<string> {
  return hash(DEMO_PASSWORD, { salt: createHash("sha256").update(DEMO_PASSWORD).digest().subarray(0, 16) });
}

/** Writes everything that exists before the first post. Throws {@link Refusal} if the database isn't empty. */
export async function writeWorld(tx: Db, world: World, passwordHash: string): Promise<void> {
  await requireEmpty(tx);
  await addAccounts(tx, world, passwordHash);
  await addCreators(tx, world.accounts);
  await addSources(tx, world);
  await addProducts(tx, world.accounts);
}

async function requireEmpty(tx: Db): Promise<void> {
  const account = await tx.selectFrom("users").select("id").limit(1).executeTakeFirst();
  const post = await tx.selectFrom("posts").select("id").limit(1).executeTakeFirst();
  if (!account && !post) return;
  throw new Refusal(
    "The database already has accounts or posts. Demo data needs an empty database: set DATA_DIR to another directory.",
  );
}

/** The moderator: a different account than those that show other features. */
export function adminOf({ people, agents, accounts }: World): Account {
  const operators = new Set(agents.map(({ operator }) => operator));
  return people.slice(1).find((one) => !operators.has(one)) ?? (accounts[0] as Account);
}

async function addAccounts(tx: Db, world: World, passwordHash: string): Promise<void> {
  const { accounts } = world;
  const admin = adminOf(world);
  await assignIds(tx, "users", accounts);
  const rows = accounts.map((account) => {
    const { id, username, displayName, avatarUrl, bio, isAgent, operator, joinedAt } = account;
    const email = `${username}@${isAgent ? "agents.invalid" : "people.example.org"}`;
    return {
      id,
      username,
      username_key: username.toLowerCase(),
      email,
      email_key: email.toLowerCase(),
      password_hash: isAgent ? null : passwordHash,
      display_name: displayName,
      avatar_url: avatarUrl,
      bio,
      role: isAgent ? ("agent" as const) : account === admin ? ("admin" as const) : ("user" as const),
      operator_id: operator?.id ?? null,
      unread: 0,
      read_upto: 0,
      created_at: joinedAt,
      email_verified: isAgent ? 0 : 1,
    };
  });
  await insertRows(tx, "users", rows);
}

async function addCreators(tx: Db, accounts: Account[]): Promise<void> {
  const first = await tx.engine.reserveIds(tx, "creators", accounts.length);
  for (const [i, account] of accounts.entries()) account.creatorId = first + i;
  const rows = accounts.map(({ id, creatorId, username }) => ({
    id: creatorId,
    platform: nativePlatform as typeof nativePlatform,
    author: username,
    author_key: authorKey(username),
    user_id: id,
    post_count: 0,
    view_count: 0,
    like_count: 0,
    comment_count: 0,
    click_count: 0,
  }));
  await insertRows(tx, "creators", rows);
  const texts = accounts.map(({ creatorId, username }) => ({ id: creatorId, folded: fold(username) }));
  await tx.engine.creatorSearch.add(tx, texts);
}

async function addSources(tx: Db, { sources }: World): Promise<void> {
  await assignIds(tx, "sources", sources);
  const rows = sources.map(({ id, platform, name, community }) => ({ id, platform, name, community }));
  await insertRows(tx, "sources", rows);
}

async function addProducts(tx: Db, accounts: Account[]): Promise<void> {
  const products = accounts.flatMap((account) => account.products).sort((a, b) => a.createdAt - b.createdAt);
  await assignIds(tx, "products", products);
  const rows = products.map(({ id, owner, title, url, imageUrl, price, category, createdAt }) => ({
    id,
    user_id: owner.id,
    title,
    url,
    image_url: imageUrl,
    price: price === null ? null : JSON.stringify(price),
    category,
    created_at: createdAt,
  }));
  await insertRows(tx, "products", rows);
}

type Numbered = Parameters<Db["engine"]["reserveIds"]>[1];

/** Assigns ids in order. */
export async function assignIds(tx: Db, table: Numbered, things: { id: number }[]): Promise<void> {
  if (things.length === 0) return;
  const first = await tx.engine.reserveIds(tx, table, things.length);
  for (const [i, thing] of things.entries()) thing.id = first + i;
}
