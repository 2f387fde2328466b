import { closest, distance } from "fastest-levenshtein";

/** Longer names aren't compared: no declared name is as long. */
const LONGEST = 40;

/**
 * Words that clients use for the same thing, in lowercase without separators. A name means another of its group. Earlier groups
 * win.
 */
const synonyms = [
  "body content text message comment reply answer markdown",
  "title headline subject heading name",
  "displayname name fullname nickname",
  "bio about description summary",
  "username user handle login account recipient to",
  "author creator username user by",
  "parentid parent inreplyto inreplytoid replyto replytoid commentid",
  "cursor page offset after before start skip nextcursor pagetoken since",
  "limit count size perpage pagesize first take max maxresults",
  "q query search keyword keywords term terms",
  "sort order orderby sortby ordering",
  "url link href uri address website",
  "image images pictures picture photo photos img file media attachment avatar",
  "video movie clip file",
  "thumbnail poster thumb cover",
  "imageurl image picture photo thumbnail",
  "media mediatype type kind",
  "types events eventtypes topics",
  "alt alttext caption description imagedescription",
  "alts alttexts captions descriptions imagedescriptions",
  "publishat scheduledat scheduleat scheduledfor schedule date",
  "expiresat expires expiry expiration ttl",
  "scopes scope permissions",
  "provenance ai isai aigenerated isaigenerated",
  "category tag tags",
  "reason why note",
  "dryrun dry preview test simulate validateonly",
  "idempotencykey idempotency requestid",
].map((group) => group.split(" "));

/** The name that was probably meant: written differently, a synonym, or misspelled. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const sought = plain(name);
  const taken = new Map(names.map((one) => [plain(one), one]));
  return taken.get(sought) ?? synonymIn(sought, taken) ?? misspelled(sought, taken);
}

/** The end of a sentence about a wrong name, which asks whether one of these was meant. */
export function didYouMean(name: unknown, names: readonly unknown[]): string {
  const nearest = typeof name === "string" ? nearestName(name, names.map(String)) : undefined;
  return nearest === undefined ? "." : `; did you mean \`${nearest}\`?`;
}

/** The most similar of some texts, unless it takes more than `most` edits, rounded up, to get there. */
export function closestWithin(sought: string, texts: readonly string[], most: number): string | undefined {
  if (texts.length === 0) return undefined;
  const nearest = closest(sought, texts);
  return distance(sought, nearest) <= Math.ceil(most) ? nearest : undefined;
}

/** Without case and separators, so that `parent_id` is `parentId`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function synonymIn(sought: string, taken: ReadonlyMap<string, string>): string | undefined {
  for (const group of synonyms) {
    if (!group.includes(sought)) continue;
    const meant = group.find((word) => taken.has(word));
    if (meant !== undefined) return taken.get(meant);
  }
  return undefined;
}

function misspelled(sought: string, taken: ReadonlyMap<string, string>): string | undefined {
  if (sought.length < 3) return undefined;
  return taken.get(closestWithin(sought, [...taken.keys()], sought.length / 3) ?? "");
}
