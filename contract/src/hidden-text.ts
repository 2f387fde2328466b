/**
 * Hidden characters are invisible to people but read by programs. They can hide instructions that an agent then follows,
 * or make a name look like another. Some scripts and emoji need a few of them, and only there are they allowed.
 */

/** The rule, in a sentence for the documents. */
export const hiddenTextRule =
  "Text that others read must not contain hidden characters: tags, direction overrides, zero-width or control characters. Joiners, variation selectors and direction marks are allowed where emoji and scripts need them.";

/** A hidden character and its position in code points, counted from 1. */
export interface HiddenCharacter {
  /** Such as `U+200B`. */
  name: string;
  place: number;
}

const scripts = (...names: string[]) => `[[${names.map((name) => `\\p{scx=${name}}`).join("")}]--\\p{DI}]`;

/** Characters that are invisible or change how others are displayed, except whitespace. */
const HIDEABLE = "[[\\p{DI}\\p{Cc}\\p{NChar}\\uFFF9-\\uFFFB]--[\\t\\n\\r]]";
const MARK = "[\\u200E\\u200F\\u061C]";
/** Hidden characters that must not be adjacent to another: all but direction marks. */
const NOT_ADJACENT = `[${HIDEABLE}--${MARK}]`;
const LETTER = "[[\\p{L}\\p{M}]--\\p{DI}]";
const PICTURE = "\\p{Extended_Pictographic}";
const MONGOLIAN = scripts("Mongolian");
const RIGHT_TO_LEFT = scripts(
  ...["Hebrew", "Arabic", "Syriac", "Thaana", "Nko", "Samaritan", "Mandaic", "Adlam", "Hanifi_Rohingya"],
);

/** Scripts in which joiners and non-joiners select letter forms that differ in meaning. */
const JOINED = scripts(
  ...["Arabic", "Syriac", "Nko", "Mandaic", "Adlam", "Hanifi_Rohingya", "Mongolian", "Phags_Pa"],
  ...["Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam"],
  ...["Sinhala", "Tibetan", "Myanmar", "Khmer", "Balinese", "Javanese", "Sundanese", "Chakma", "Kaithi"],
  ...["Meetei_Mayek", "Newa", "Grantha", "Tirhuta", "Sharada", "Modi", "Brahmi", "Tai_Tham"],
);

/** Scripts without spaces, in which a zero-width space marks a word boundary. */
const UNSPACED = scripts(
  ...["Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Tai_Tham", "Tai_Le", "New_Tai_Lue", "Tai_Viet"],
  ...["Balinese", "Javanese"],
);

/** A character preceded by something. The character comes first in the pattern, so the lookbehind runs only where it matches. */
const after = (what: string, character: string) => `${character}(?<=${what}${character})`;

/** A character next to a letter of the script. */
const nextTo = (script: string, character: string) => [
  `${after(script, character)}(?!${NOT_ADJACENT})`,
  `${character}(?<!${NOT_ADJACENT}${character})(?=${script})`,
];

/** Contexts in which a hideable character is allowed. Each looks only at a few characters around it. */
const allowed = [
  // Joins emoji into one.
  `${after(`${PICTURE}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?`, "\\u200D")}(?=${PICTURE})`,
  ...nextTo(JOINED, "[\\u200C\\u200D]"),
  ...nextTo(UNSPACED, "\\u200B"),
  after(MONGOLIAN, "[\\u180B-\\u180F]"),
  // The soft hyphen, and the combining grapheme joiner.
  `${after(LETTER, "[\\u00AD\\u034F]")}(?=${LETTER})`,
  // Variation selectors after emoji and other characters that have variants.
  after(`[[\\p{Emoji}${PICTURE}]--[0-9#*]]`, "[\\uFE0E\\uFE0F]"),
  `${after("[0-9#*]", "[\\uFE0E\\uFE0F]")}(?=\\u20E3)`,
  after(
    "[[\\p{Ideographic}\\p{Sm}\\p{scx=Myanmar}\\p{scx=Phags_Pa}]--[\\p{ASCII}\\p{DI}]]",
    "[\\uFE00-\\uFE0D]",
  ),
  after("\\p{Ideographic}", "[\\u{E0100}-\\u{E01EF}]"),
];

/** The content of a direction isolate: on one line, without nested isolates, which can reorder words. */
const ISOLATED = "[^\\u2066-\\u2069\\n\\r\\u2028\\u2029]+";

/** Additional contexts in texts with right-to-left letters; in other texts, these characters have no use. */
const allowedWithRightToLeft = [
  `${MARK}(?<!${MARK}{3})`,
  `[\\u2066-\\u2068](?=${ISOLATED}\\u2069)`,
  after(`[\\u2066-\\u2068]${ISOLATED}`, "\\u2069"),
];

const rightToLeft = new RegExp(RIGHT_TO_LEFT, "v");
const hideable = new RegExp(HIDEABLE, "v");
const everyHideable = new RegExp(HIDEABLE, "gv");
/** Matches hidden characters, and flags such as Scotland's, which are spelled with tags; flags come first to stay whole. */
const finder = (contexts: string[]) =>
  new RegExp(`\\p{RGI_Emoji_Tag_Sequence}|(?!${contexts.join("|")})${HIDEABLE}`, "gv");
const leftToRightFinder = finder(allowed);
const bidirectionalFinder = finder([...allowed, ...allowedWithRightToLeft]);
const FLAG = "\u{1F3F4}";

/** The first hidden character of a text that isn't allowed where it is; null if there is none. Takes linear time. */
export function hiddenCharacter(text: string): HiddenCharacter | null {
  if (!hideable.test(text)) return null;
  for (const { 0: found, index } of text.matchAll(finderFor(text))) {
    if (found.startsWith(FLAG)) continue;
    return { name: nameOf(found), place: [...text.slice(0, index)].length + 1 };
  }
  return null;
}

/** Removes hidden characters, for imported text whose author can't be asked to correct it. */
export function withoutHidden(text: string): string {
  if (!hideable.test(text)) return text;
  const shown = text.replace(finderFor(text), (found) => (found.startsWith(FLAG) ? found : ""));
  // Removal can make hidden characters adjacent that weren't before. Such a text is malicious, so remove them all.
  return hiddenCharacter(shown) ? shown.replace(everyHideable, "") : shown;
}

function finderFor(text: string): RegExp {
  return rightToLeft.test(text) ? bidirectionalFinder : leftToRightFinder;
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
