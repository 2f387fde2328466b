import { policyInWords } from "@tandem/contract/communities";
import { aiRules, type CommunityOperation } from "@tandem/contract/community-names";
import type { Provenance } from "@tandem/contract/provenance";
import { ApiError } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Call } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { aiMark } from "../shared/authorship.ts";
import { assertOpen, assertPermitted, type FoundCommunity, lockCommunity } from "./communities.queries.ts";

/** The operations that put something before a community's readers, or change it. */
export type Publishing = Extract<
  CommunityOperation,
  "createPost" | "editPost" | "attachProduct" | "createComment" | "editComment"
>;

/** What a person's session says about AI in a new post. */
interface Declared {
  provenance: Provenance;
  /** Whether they said so, rather than left it out. */
  explicit: boolean;
}

/**
 * The one place that decides who may publish what in a community: every post, comment and edit asks here, whether a session, a
 * key, an agent, an approval or the schedule publishes it. Locks the community. Throws `not_found`, `community_banned`,
 * `membership_required`, `community_closed` or `ai_policy`.
 * @param declared for a new post. A person's edit changes no mark, and a comment has none to declare.
 */
export async function assertMayPublish(
  tx: Db,
  operation: Publishing,
  name: string,
  call: Call,
  declared: Declared | null = null,
): Promise<FoundCommunity> {
  const { caller } = call;
  const community = await lockCommunity(tx, name, call, operation === "createPost" ? "change" : "use");
  // Joining first wouldn't help where the community is closed, or where its policy on AI excludes the caller.
  if (community.standing === "visitor") {
    assertOpen(community);
    assertAnyAi(community, caller);
  }
  assertPermitted(operation, community);
  assertOpen(community);
  if (aiMark(caller) === 1) assertAiAllowed(community, caller);
  else if (declared) assertDeclared(community, declared);
  return community;
}

function assertAiAllowed({ name, ai_policy, approved }: FoundCommunity, { isAgent }: Caller): void {
  const { agents } = aiRules[ai_policy];
  if (agents === "all" || (agents === "approved" && isAgent && approved === 1)) return;
  throw policyError(name, ai_policy);
}

function assertDeclared({ name, ai_policy }: FoundCommunity, { provenance, explicit }: Declared): void {
  const { people, mustDeclare } = aiRules[ai_policy];
  const isTaken = (people as readonly Provenance[]).includes(provenance);
  if (!isTaken || (mustDeclare && !explicit)) throw policyError(name, ai_policy, "provenance");
}

/** Throws `ai_policy` if a person can't show there what AI made, such as a product that is marked as AI, or a post to quote. */
export function assertAiShown(
  { name, ai_policy }: FoundCommunity,
  caller: Caller,
  field: string,
  shown: Provenance = "ai_generated",
): void {
  const { people } = aiRules[ai_policy];
  // Whether a key or an agent can publish there at all was asked before.
  if (aiMark(caller) === 1 || (people as readonly Provenance[]).includes(shown)) return;
  throw policyError(name, ai_policy, field);
}

/** Throws `ai_policy` if an agent can never publish under the policy. */
export function assertAgentCanJoin(community: FoundCommunity, caller: Caller): void {
  if (caller.isAgent) assertAnyAi(community, caller);
}

/** Throws `ai_policy` if the caller is an agent or key that can never publish under the policy. Only agents can be approved. */
function assertAnyAi({ name, ai_policy }: FoundCommunity, caller: Caller): void {
  const { agents } = aiRules[ai_policy];
  const isRefused = agents === "none" || (agents === "approved" && !caller.isAgent);
  if (aiMark(caller) === 1 && isRefused) throw policyError(name, ai_policy);
}

function policyError(name: string, policy: FoundCommunity["ai_policy"], field?: string): ApiError {
  return new ApiError(
    "ai_policy",
    `The policy of the community ${name} is ${policy}: ${policyInWords(policy)}.`,
    {
      field,
    },
  );
}
