import { type AiPolicy, aiRules } from "@tandem/contract/community-names";
import type { Provenance } from "@tandem/contract/provenance";
import type { TextKey } from "../../i18n/keys.ts";

/** What a person can say about AI in a post. */
export interface Declaration {
  /** What is chosen; null if nothing is, and the community wants people to choose. */
  value: Provenance | null;
  /** What the community takes. */
  allowed: readonly Provenance[];
  /** Why the post can't be sent. */
  problem: TextKey | null;
}

/** Without a community, everything is allowed and nothing has to be declared, as in an open one. */
export const noPolicy: AiPolicy = "open";

/**
 * What an author declares. While the policy is unknown, nothing is assumed in the author's name; `otherwise` is what holds if
 * nothing is chosen and doesn't have to be.
 */
export function declarationOf(
  chosen: Provenance | null,
  policy: AiPolicy | undefined,
  otherwise: Provenance = "human",
): Declaration {
  const { people, mustDeclare } = aiRules[policy ?? "marked"];
  const allowed: readonly Provenance[] = people;
  const value = chosen ?? (mustDeclare ? null : otherwise);
  if (value === null) return { value, allowed, problem: "composer.provenance.missing" };
  return { value, allowed, problem: allowed.includes(value) ? null : "composer.provenance.forbidden" };
}
