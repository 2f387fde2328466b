import { type RawBuilder, sql } from "kysely";
import { authorNameOf } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";

/** Replaces an author's avatar in the fragments of all their posts. */
export async function replaceAuthorAvatar(
  tx: Db,
  creators: RawBuilder<number>,
  oldUrl: string | null,
  newUrl: string | null,
): Promise<void> {
  const property = (url: string | null) => `,"authorAvatarUrl":${JSON.stringify(url)},`;
  await replaceInPosts(tx, creators, property(oldUrl), property(newUrl));
}

/** Replaces an author's display name in the fragments of all their posts. */
export async function replaceAuthorName(
  tx: Db,
  { creatorId, username: author }: { creatorId: number; username: string },
  oldName: string | null,
  newName: string | null,
): Promise<void> {
  // The title comes next, so that a fragment without a name doesn't match one with a name.
  const properties = (name: string | null) =>
    `,${JSON.stringify({ author, ...authorNameOf(name) }).slice(1, -1)},"title":`;
  await replaceInPosts(tx, sql`${creatorId}`, properties(oldName), properties(newName));
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
