import type { Draft } from "@tandem/contract/drafts";
import { operations } from "@tandem/contract/operations";
import type { Platform } from "@tandem/contract/origins";
import type { QuotePolicy } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import type { DraftRow } from "../../storage/schema/agents.ts";
import type { PollInput } from "../posts/polls.ts";
import type { FoundDraft } from "./drafts.queries.ts";

/** What a draft changes, deletes or attaches. */
export type Target = NonNullable<Draft["before"]>;

/** The input of a draft's operation: the fields of all operations that a draft can hold. */
export interface DraftInput extends Partial<Target> {
  id?: number;
  productId?: number;
  parentId?: number | null;
  productIds?: number[] | null;
  community?: string | null;
  quoteId?: number | null;
  quotePolicy?: QuotePolicy;
  poll?: PollInput | null;
  choices?: number[];
  provenance?: Provenance;
  platform?: Platform;
  author?: string;
  /** A community's. */
  name?: string;
}

/** A draft with its input, and the records that it is about. */
export interface ParsedDraft extends Omit<FoundDraft, "input"> {
  input: DraftInput;
  subject: Subject;
}

interface Subject {
  postId: number | null;
  commentId: number | null;
  productId: number | null;
}

export function parseDraft(draft: FoundDraft): ParsedDraft {
  const input: DraftInput = JSON.parse(draft.input);
  return { ...draft, input, subject: subjectIn(draft.operation, input) };
}

/** The records that a draft is about. */
export function subjectOf({ operation, input }: Pick<DraftRow, "operation" | "input">): Subject {
  return subjectIn(operation, JSON.parse(input));
}

function subjectIn(
  operation: DraftRow["operation"],
  { id = null, productId = null }: { id?: number | null; productId?: number | null },
): Subject {
  const { path } = operations[operation];
  const named = (noun: string) => (path.startsWith(`/api/${noun}`) ? id : null);
  return {
    postId: named("posts"),
    commentId: named("comments"),
    productId: productId ?? named("products"),
  };
}
