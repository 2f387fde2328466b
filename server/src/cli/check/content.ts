import { nativePlatform, origins } from "@tandem/contract/origins";
import { sql } from "kysely";
import { fromFragment, type PostFacts } from "../../storage/post-fragment.ts";
import { isIn, type Rule } from "./rule.ts";

/** What a post says and shows; null if its fragment is damaged. */
export function contentOf(fragment: string): PostFacts | null {
  try {
    const content = fromFragment(fragment);
    const isKnown = content.platform === nativePlatform || Object.hasOwn(origins, content.platform);
    return isKnown && typeof content.provenance === "string" ? content : null;
  } catch {
    return null;
  }
}

/** Rules about what is derived from the content leave these posts out. */
export const readableContent: Rule = {
  what: "what a post says and shows can be read",
  table: "posts",
  key: "id",
  async find(db, keys) {
    const { rows } = await sql<{ id: number; fragment: string }>`
      select p.id, p.fragment from posts p where ${isIn(db, sql`p.id`, keys)}`.execute(db);
    return rows
      .filter(({ fragment }) => contentOf(fragment) === null)
      .map(({ id }) => ({ key: id, detail: "its content can't be read" }));
  },
};
