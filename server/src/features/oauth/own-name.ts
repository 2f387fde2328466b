import { withoutHidden } from "@tandem/contract/hidden-text";

/** What the service is called. No app may be. */
export const OWN_NAME = "Tandem";

/** The letters of the name, with those of other alphabets that look the same. */
const LETTERS = ["tт\u03c4", "aаα", "nոпην", "dԁɗ", "eеε", "mмμ"];

/** Whether a name is the service's own, or looks the same. Spaces and marks between and around its letters don't count. */
export function isOwnName(name: unknown): boolean {
  if (typeof name !== "string") return false;
  const letters = withoutHidden(name)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  return new RegExp(`^${LETTERS.map((alike) => `[${alike}]`).join("")}$`, "u").test(letters);
}
