import { plainBio, plainText } from "@tandem/contract/markdown/plain";
import { postWords } from "@tandem/contract/post-words";
import type { Excerpt } from "../../events/notifications.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import { authorshipIn, markedAuthorship } from "../shared/authorship.ts";

/* What reports and decisions quote, without markup, and with who wrote it. */

/** The length of an excerpt, in code points. */
const EXCERPT = 200;
/** How much of a text is read for that, since markup takes space. */
const READ = 4 * EXCERPT;

/** A decision's columns about what it quotes. */
export function quoting({ text, provenance, provenanceBasis }: Excerpt) {
  return { excerpt: text, excerpt_provenance: provenance, excerpt_provenance_basis: provenanceBasis };
}

/** The columns of a decision about an account or a community itself, which quotes its name. */
export function aboutName(name: string) {
  return { post_id: null, comment_id: null, ...quoting(nameExcerpt(name)) };
}

/** A name of an account or community where a text would be quoted. */
export function nameExcerpt(text: string): Excerpt {
  return { text, provenance: null, provenanceBasis: null };
}

/** A post's title, body and poll, as they are quoted: its content warning instead of these two, if it has one. */
export function postExcerpt(fragment: string): Excerpt {
  const facts = fromFragment(fragment);
  const { title, contentWarning, poll } = facts;
  const options = contentWarning === undefined ? (poll?.options ?? []) : [];
  const text = [title, postWords(facts, READ), ...options].filter(Boolean).join(" · ");
  return { text: shorten(text), ...authorshipIn(facts) };
}

/** A comment, or a community's texts, with its AI mark, 0 or 1, as it is quoted. */
export function markedExcerpt(text: string, mark: number): Excerpt {
  return { text: shorten(plainText(text.slice(0, READ))), ...markedAuthorship(mark) };
}

export function bioExcerpt(bio: string, mark: number): Excerpt {
  return { text: shorten(plainBio(bio)), ...markedAuthorship(mark) };
}

function shorten(text: string): string {
  const points = [...text];
  return points.length > EXCERPT ? `${points.slice(0, EXCERPT - 1).join("")}…` : text;
}
