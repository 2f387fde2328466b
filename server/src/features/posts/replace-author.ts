import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../../http/context.ts";
import { charge } from "../../http/quota.ts";
import { authorNameOf } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";

/** Replaces the caller's avatar in the fragments of all their posts. Throws `rate_limited`. */
export async function replaceAuthorAvatar(
  actor: Actor,
  tx: Db,
  oldUrl: string | null,
  newUrl: string | null,
): Promise<void> {
  await chargeChange(actor, tx);
  await replaceAvatar(tx, actor.caller.userId, oldUrl, newUrl);
}

/** Replaces an account's avatar in the fragments of all its posts. */
export async function replaceAvatar(
  tx: Db,
  userId: number,
  oldUrl: string | null,
  newUrl: string | null,
): Promise<void> {
  const creator = sql<number>`select id from creators where user_id = ${userId}`;
  const property = (url: string | null) => `,"authorAvatarUrl":${JSON.stringify(url)},`;
  await replaceInPosts(tx, creator, property(oldUrl), property(newUrl));
}

/** Replaces the caller's display name in the fragments of all their posts. Throws `rate_limited`. */
export async function replaceAuthorName(
  actor: Actor,
  tx: Db,
  { creatorId, username: author }: { creatorId: number; username: string },
  oldName: string | null,
  newName: string | null,
): Promise<void> {
  await chargeChange(actor, tx);
  // The title comes next, so that a fragment without a name doesn't match one with a name.
  const properties = (name: string | null) =>
    `,${JSON.stringify({ author, ...authorNameOf(name) }).slice(1, -1)},"title":`;
  await replaceInPosts(tx, sql`${creatorId}`, properties(oldName), properties(newName));
}

/** A change may rewrite very many posts, during which SQLite lets no one else write. */
async function chargeChange({ caller, services, now }: Actor, tx: Db): Promise<void> {
  const allowance = { name: "changes", ...services.config.limits.throttles.authorChangesPerAccount };
  await charge(tx, `author:${caller.userId}`, [allowance], now);
}

/** One statement, as there may be very many posts. Quotes inside JSON strings are escaped, so this never matches a title or body. */
async function replaceInPosts(
  tx: Db,
  creators: RawBuilder<number>,
  before: string,
  after: string,
): Promise<void> {
  await sql`
    update posts set fragment = replace(fragment, cast(${before} as text), cast(${after} as text))
    where creator_id in (${creators})
  `.execute(tx);
}
