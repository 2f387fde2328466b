import type { PostPicture } from "@tandem/contract/post-resources";

/* Descriptions of a post's media in its form: one per picture, in their order, or one of the only picture or video. */

interface Described {
  alt: string | null;
  pictures?: readonly PostPicture[] | null | undefined;
}

export function altsOf({ alt, pictures }: Described): string[] {
  return pictures ? pictures.map((picture) => picture.alt ?? "") : [alt ?? ""];
}

/** As the API expects them. */
export function sentAlts(
  alts: readonly string[],
  count: number,
): { alt: string | null } | { alts: string[] } {
  const trimmed = Array.from({ length: count }, (_, i) => alts[i]?.trim() ?? "");
  return count > 1 ? { alts: trimmed } : { alt: trimmed[0] || null };
}

/** The descriptions with another one at this place. */
export function withAlt(alts: readonly string[], at: number, alt: string): string[] {
  return Array.from({ length: Math.max(alts.length, at + 1) }, (_, i) => (i === at ? alt : (alts[i] ?? "")));
}

export function withoutItem<T>(items: readonly T[], at: number): T[] {
  return items.filter((_, i) => i !== at);
}

/** The items with two of them swapped. */
export function swapped<T>(items: readonly T[], one: number, other: number): T[] {
  const from = (i: number) => (i === one ? other : i === other ? one : i);
  return items.map((item, i) => items[from(i)] ?? item);
}
