import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** All pairs that a post can have. */
const pairs = [
  ["human", ["declared", "origin", "assumed"]],
  ["ai_assisted", ["declared", "origin"]],
  ["ai_generated", ["stamped", "declared", "origin"]],
] as const;

/**
 * Who wrote what a decision quotes. Existing decisions take it from the post or comment as it is marked now, and stay without if
 * that was deleted.
 */
export async function decisionMarks(db: Db): Promise<void> {
  for (const column of ["excerpt_provenance", "excerpt_provenance_basis"])
    await db.schema.alterTable("decisions").addColumn(column, "text").execute();
  for (const [provenance, bases] of pairs)
    for (const basis of bases) {
      // Quotation marks in texts are escaped, so only fields match.
      const fields = `%,"provenance":"${provenance}","provenanceBasis":"${basis}",%`;
      await sql`update decisions set excerpt_provenance = ${provenance}, excerpt_provenance_basis = ${basis}
        where comment_id is null and exists (
          select 1 from posts p where p.id = decisions.post_id and p.fragment like ${fields})`.execute(db);
    }
  await sql`update decisions set
      excerpt_provenance = case c.is_ai when 1 then 'ai_generated' else 'human' end,
      excerpt_provenance_basis = case c.is_ai when 1 then 'stamped' else 'declared' end
    from comments c where c.id = decisions.comment_id`.execute(db);
}
