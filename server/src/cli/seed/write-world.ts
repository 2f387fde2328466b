import { createHash } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { nativePlatform } from "@tandem/contract/origins";
import { createLinks } from "@tandem/seed/links";
import type { Account, Community } from "@tandem/seed/model";
import type { World } from "@tandem/seed/world";
import { sql } from "kysely";
import { placeholder } from "../../features/accounts/placeholder.ts";
import { authorKey } from "../../features/creators/creators.queries.ts";
import { addProduct } from "../../features/shop/products.ts";
import { insertRows } from "../../storage/bulk.ts";
import { fold } from "../../storage/fold.ts";
import type { Db } from "../../storage/storage.ts";
import { Refusal } from "../refusal.ts";
import { assignIds } from "./ids.ts";

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
  await addCommunities(tx, world.communities);
  await addProducts(tx, world.accounts);
  await addLinks(tx, world);
}

/** Throws {@link Refusal} if the database has accounts or posts. */
export async function requireEmpty(db: Db): Promise<void> {
  const account = await db.selectFrom("users").select("id").limit(1).executeTakeFirst();
  const post = await db.selectFrom("posts").select("id").limit(1).executeTakeFirst();
  if (!account && !post) return;
  throw new Refusal(
    "The database already has accounts or posts. Demo data needs an empty database: set DATA_DIR to another directory.",
  );
}

async function addAccounts(tx: Db, { accounts, admin }: World, passwordHash: string): Promise<void> {
  await assignIds(tx, "users", accounts);
  const rows = accounts.map((account) => {
    const { id, username, displayName, avatarUrl, bio, isAgent, operator, joinedAt } = account;
    const email = isAgent ? placeholder("agent", username) : `${username}@people.example.org`;
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

/** Inserted directly: `addSource` expects an address to poll, and these sources have none. */
async function addSources(tx: Db, { sources }: World): Promise<void> {
  await assignIds(tx, "sources", sources);
  const rows = sources.map(({ id, platform, name, community }) => ({ id, platform, name, community }));
  await insertRows(tx, "sources", rows);
}

async function addCommunities(tx: Db, communities: Community[]): Promise<void> {
  await assignIds(tx, "communities", communities);
  const rows = communities.map(({ id, name, description, rules, aiPolicy, members, createdAt }) => ({
    ...{ id, name, description, rules, ai_policy: aiPolicy, picture_url: null },
    ...{ member_count: members.length + 1, created_at: createdAt, active_at: createdAt },
  }));
  await insertRows(tx, "communities", rows);
  const members = communities.flatMap(({ id, owner, moderator, members, createdAt }) =>
    [owner, ...members].map((account) => ({
      ...{ community_id: id, user_id: account.id, is_agent: account.isAgent ? 1 : 0 },
      role:
        account === owner
          ? ("owner" as const)
          : account === moderator
            ? ("moderator" as const)
            : ("member" as const),
      since: Math.max(createdAt, account.joinedAt),
    })),
  );
  await insertRows(tx, "community_members", members);
  const names = new Map(communities.map(({ id, name }) => [id, name]));
  const follows = members.map(({ community_id, user_id }) => {
    const name = names.get(community_id) ?? "";
    return { user_id, platform: nativePlatform, community_key: name, name } as const;
  });
  await insertRows(tx, "community_follows", follows);
  await sql`
    update users set followed_communities = (select count(*) from community_follows f where f.user_id = users.id)`.execute(
    tx,
  );
}

async function addProducts(tx: Db, accounts: Account[]): Promise<void> {
  const products = accounts.flatMap((account) => account.products).sort((a, b) => a.createdAt - b.createdAt);
  for (const product of products) {
    const { owner, title, url, imageUrl, price, category, createdAt } = product;
    const input = { title, url, imageUrl, price, category, isAi: owner.isAgent ? 1 : 0 };
    product.id = (await addProduct(tx, owner.id, input, createdAt)).id;
  }
}

/** Without the next check, since these sites don't exist: their ticks would disappear. */
async function addLinks(tx: Db, world: World): Promise<void> {
  const rows = createLinks(world).map(({ account, position, host, verifiedAt, checkedAt }) => ({
    user_id: account.id,
    position,
    url: `https://${host}/`,
    host,
    due_at: null,
    verified_at: verifiedAt,
    checked_at: checkedAt,
    problem: verifiedAt === null ? ("no_link_back" as const) : null,
  }));
  await insertRows(tx, "profile_links", rows);
}
