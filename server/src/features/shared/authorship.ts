import { type AiProvenance, mostAi } from "@tandem/contract/digital-source-types";
import type { Draft } from "@tandem/contract/drafts";
import type { Provenance } from "@tandem/contract/provenance";
import type { PostCount } from "@tandem/contract/transparency";
import type { Caller } from "../../http/caller.ts";
import type { SourceType } from "../../media/source-type.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { incrementAll } from "../shared/daily-stats.ts";

/*
 * Decides what is AI content. Every path that puts text or media before others asks here: posts, comments, drafts, products,
 * profiles, messages, and changes of any of them. A mark is sticky: only deleting what it marks removes it. No other module
 * marks anything by `caller.byAi`; `authorship.test.ts` checks that.
 */

/** How much AI was involved in a post, and who says so. */
export type Authorship = Pick<PostFacts, "provenance" | "provenanceBasis">;

/** The authorship of what a key or agent wrote or edited. */
export const stamped = {
  provenance: "ai_generated",
  provenanceBasis: "stamped",
} as const satisfies Authorship;

/**
 * The authorship of a new post: keys and agents are always stamped; people declare, and by default wrote it themselves.
 * @param stated what the metadata of the author's files say about AI. It counts as declared with them, and outweighs less.
 */
export function authorshipOf(
  caller: Caller,
  declared: Provenance | undefined,
  stated: AiProvenance | null = null,
): Authorship {
  if (caller.byAi) return stamped;
  return { provenance: mostAi(declared, stated) ?? "human", provenanceBasis: "declared" };
}

/** The authorship of a post after an edit. An edit by a key or agent stamps it; no edit removes a mark. */
export function editedAuthorship(caller: Caller, facts: PostFacts): Authorship {
  return caller.byAi ? stamped : authorshipIn(facts);
}

/** The authorship that a post's facts contain. */
export function authorshipIn({ provenance, provenanceBasis }: PostFacts): Authorship {
  return { provenance, provenanceBasis };
}

/** The authorship of a comment or bio with this mark: people can't say that AI helped them with one. */
export function markedAuthorship(mark: number): Authorship {
  return mark === 1 ? stamped : { provenance: "human", provenanceBasis: "declared" };
}

/** The mark, 0 or 1, of what has no declared provenance, such as a comment: the mark `before`, or 1 if AI writes it. */
export function aiMark(caller: Caller, before = 0): number {
  return caller.byAi ? 1 : before;
}

/**
 * The mark of a text that can be empty. Clearing it keeps the mark, or else the same text could be written again without
 * one. Who clears a text or writes it unchanged adds no words, and so marks nothing.
 */
export function aiMarkOfText(
  caller: Caller,
  text: string | null,
  before: { text: string | null; mark: number },
): number {
  return text === null || text === before.text ? before.mark : aiMark(caller, before.mark);
}

/** The mark of an avatar or banner: a key or agent uploads it, or its file says that AI was involved. */
export function pictureMark(caller: Caller, stated: SourceType | null): number {
  return aiMark(caller, stated === null ? 0 : 1);
}

/** The `by_key` mark of a draft that the caller writes, schedules or publishes. An agent's drafts need no mark. */
export function keyMark(caller: Caller, before = 0): number {
  return caller.key ? 1 : before;
}

/** The author of a draft as the caller publishes it: a person's draft that a key publishes is AI content. */
export function publishedBy(caller: Caller, author: Caller): Caller {
  return { ...author, byAi: author.byAi || caller.byAi };
}

/** What a draft of a new post will be published as, or nulls if its author hasn't said. Keys and agents can't choose it. */
export function draftAuthorship(
  author: Caller,
  declared: Provenance | undefined,
): Pick<Draft, "provenance" | "provenanceBasis"> {
  if (author.byAi) return stamped;
  return declared === undefined
    ? { provenance: null, provenanceBasis: null }
    : { provenance: declared, provenanceBasis: "declared" };
}

/** The authorship of an imported item. Without a word from its origin, a person is assumed, but never claimed. */
export function importedAuthorship(provenance: Provenance | null): Authorship {
  return provenance === null
    ? { provenance: "human", provenanceBasis: "assumed" }
    : { provenance, provenanceBasis: "origin" };
}

/**
 * The authorship of a post that its author imported from an export, which says nothing of AI. Importing takes a person's session, so
 * there is nothing to stamp.
 * @param stated what the metadata of its files say about AI. It counts as declared with them, as in a new post
 */
export function archivedAuthorship(stated: AiProvenance | null): Authorship {
  return stated === null ? importedAuthorship(null) : { provenance: stated, provenanceBasis: "declared" };
}

/**
 * The authorship of an imported post after its linked page was read: what that page or its picture say about AI comes from
 * the origin, too. Never removes a mark.
 */
export function withStatement(old: Authorship, stated: AiProvenance | undefined): Authorship {
  return stated && mostAi(old.provenance, stated) !== old.provenance
    ? { provenance: stated, provenanceBasis: "origin" }
    : old;
}

/** From least to most AI. */
const order: readonly Provenance[] = ["human", "ai_assisted", "ai_generated"];

/** The authorship of an imported post after its origin changed it: no change removes an AI mark. */
export function reimportedAuthorship(old: PostFacts, imported: PostFacts): Authorship {
  const keepsOld = order.indexOf(old.provenance) > order.indexOf(imported.provenance);
  return authorshipIn(keepsOld ? old : imported);
}

/** The name under which a post with this label is counted. */
export function postCount({ provenance, provenanceBasis }: Authorship): PostCount {
  // Only pairs of `basesOf` exist.
  return `posts/${provenance}/${provenanceBasis}` as PostCount;
}

type Labelled = Authorship & Pick<PostFacts, "postedAt">;

/** Counts posts under their new label, where it changed. */
export async function countRelabelled(
  tx: Db,
  posts: readonly { before: Labelled; after: Labelled }[],
): Promise<void> {
  const changed = posts.filter(({ before, after }) => postCount(before) !== postCount(after));
  await incrementAll(
    tx,
    changed.flatMap(({ before, after }) => {
      const at = Date.parse(before.postedAt);
      return [
        { what: postCount(before), at, times: -1 },
        { what: postCount(after), at },
      ];
    }),
  );
}
