import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { PostPicture } from "@tandem/contract/post-resources";
import { type ApiError, invalid } from "../../http/api-error.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";

/** The descriptions in a request: `alt` of the only or first picture or of the video, or `alts` of all pictures. */
export type AltTexts = Pick<Input<Operations["editPost"]>, "alt" | "alts">;

/** What descriptions are about. */
export type Described = Pick<PostFacts, "mediaType" | "alt" | "pictures">;

/** Whether a request describes anything. */
export function describes({ alt, alts }: AltTexts): boolean {
  return Boolean(alt || alts?.some(Boolean));
}

/** Throws if the descriptions don't fit this number of pictures. */
export function assertFitting({ alt, alts }: AltTexts, pictures: number): void {
  if (alts === undefined) return;
  if (alt !== undefined) throw invalid("alts", "alts describes all pictures. Leave alt out, or alts.");
  const count = alts?.length ?? 0;
  if (pictures === 0 && alts?.some(Boolean))
    throw invalid("alts", "alts describes pictures, and this post has none. Describe a video with alt.");
  if (pictures > 0 && count > pictures)
    throw invalid("alts", `alts describes ${count} pictures, and this post has ${pictures}.`);
}

/** The number of pictures that a post shows. */
export function pictureCount({ mediaType, pictures }: Described): number {
  return pictures?.length ?? (mediaType === "image" ? 1 : 0);
}

/** The media with these descriptions. What a request leaves out stays as it is; a video has only an `alt`. */
export function withAlts<D extends Described>(media: D, { alt, alts }: AltTexts): D {
  const count = pictureCount(media);
  const given = alts === undefined || count === 0 ? [alt] : altsOf(alts, count);
  const altAt = (i: number, now: string | null) => (given[i] === undefined ? now : given[i]);
  const described = { ...media, alt: altAt(0, media.alt) };
  if (!media.pictures) return described;
  return { ...described, pictures: media.pictures.map((one, i) => withAlt(one, altAt(i, one.alt))) };
}

/** The same in an edit of a post. Throws if that has no such pictures. */
export function withEditedAlts(facts: PostFacts, input: AltTexts): PostFacts {
  // A link's preview has no description.
  if (facts.mediaState === null) {
    if (describes(input)) throw altWithoutMedia(input);
    return facts;
  }
  assertFitting(input, pictureCount(facts));
  return withAlts(facts, input);
}

/**
 * The descriptions of a draft's input after a change of it. `alts` describes pictures, so it changes nothing of a draft without any, such
 * as one with a video. An empty one describes none.
 * @param pictures how many the draft has; null if that isn't known
 */
export function mergeAlts(
  before: AltTexts,
  { alt = before.alt, alts }: AltTexts,
  pictures: number | null,
): AltTexts {
  const list = before.alts ?? (before.alt === undefined ? [] : [before.alt]);
  if (alts !== undefined && alts?.length !== 0 && pictures !== 0)
    return { alts: alts && [...alts, ...list.slice(alts.length)] };
  if (before.alts === undefined) return { ...(alt !== undefined && { alt }) };
  return { alts: alt === undefined ? before.alts : [alt, ...list.slice(1)] };
}

/** Null clears all. */
function altsOf(alts: readonly (string | null)[] | null, count: number): (string | null)[] {
  return alts === null ? Array.from({ length: count }, () => null) : alts.map((alt) => alt || null);
}

const withAlt = (picture: PostPicture, alt: string | null): PostPicture => ({ ...picture, alt });

export function altWithoutMedia({ alt }: AltTexts): ApiError {
  const field = alt ? "alt" : "alts";
  const what = alt ? "a picture or video" : "pictures";
  return invalid(field, `${field} describes ${what}, and this post has none. Leave it out.`);
}
