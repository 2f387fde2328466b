import type { Provenance } from "@tandem/contract/provenance";
import type { Caller } from "../../http/caller.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";

/** How much AI was involved in a post, and who says so. */
export type Authorship = Pick<PostFacts, "provenance" | "provenanceBasis">;

const stamped: Authorship = { provenance: "ai_generated", provenanceBasis: "stamped" };

/** The authorship of a new post: keys and agents are always stamped; people declare, and by default wrote it themselves. */
export function authorshipOf(caller: Caller, declared: Provenance | undefined): Authorship {
  return caller.byAi ? stamped : { provenance: declared ?? "human", provenanceBasis: "declared" };
}

/** The authorship of a post after an edit. An edit by a key or agent stamps it; no edit removes a mark. */
export function editedAuthorship(caller: Caller, facts: PostFacts): Authorship {
  return caller.byAi ? stamped : authorshipIn(facts);
}

/** The authorship that a post's facts contain. */
export function authorshipIn({ provenance, provenanceBasis }: PostFacts): Authorship {
  return { provenance, provenanceBasis };
}

/** The authorship of an imported item. Without a word from its origin, a person is assumed, but never claimed. */
export function importedAuthorship(provenance: Provenance | null): Authorship {
  return provenance === null
    ? { provenance: "human", provenanceBasis: "assumed" }
    : { provenance, provenanceBasis: "origin" };
}

/** From least to most AI. */
const order: readonly Provenance[] = ["human", "ai_assisted", "ai_generated"];

/** The authorship of an imported post after its origin changed it: no change removes an AI mark. */
export function reimportedAuthorship(old: PostFacts, imported: PostFacts): Authorship {
  const keepsOld = order.indexOf(old.provenance) > order.indexOf(imported.provenance);
  return authorshipIn(keepsOld ? old : imported);
}
