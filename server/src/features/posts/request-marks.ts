import { digitalSourceTypes } from "@tandem/contract/digital-source-types";
import { sql } from "kysely";
import type { SourceType } from "../../media/source-type.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";

/** The mark that a post's files carry. Files of link previews belong to the linked site, and get none. */
export function wantedMark({ provenance, mediaState }: PostFacts): SourceType | null {
  return mediaState === null ? null : digitalSourceTypes[provenance];
}

/** Has the files of posts that become AI content marked. Call it before the posts' provenance is written. */
export async function requestMarks(
  tx: Db,
  posts: readonly { id: number; facts: PostFacts }[],
): Promise<void> {
  const marked = posts.filter(({ facts }) => wantedMark(facts) !== null);
  for (const { id, facts } of marked)
    await tx
      .updateTable("media")
      .set({ due_at: 0, attempts: 0 })
      .where("post_id", "=", id)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("posts")
            .select(sql`1`.as("one"))
            .where("id", "=", id)
            .where("provenance", "<>", facts.provenance),
        ),
      )
      .execute();
}
