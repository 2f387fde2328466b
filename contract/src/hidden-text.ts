/**
 * Characters that a reader doesn't see and a program reads all the same: in them, words can be hidden from people that
 * an agent then obeys, and names be made that look like others. Some scripts, and emoji, need a few of them; there,
 * and only there, they may stand.
 */

/** What is refused wherever this module is asked, in a sentence for the documents. */
export const hiddenTextRule =
  "Text that others read holds no hidden characters: no tags, overrides of direction, zero-width or control characters; joiners, selectors and marks of direction stand where emoji and scripts need them.";

/** A character that hides, and where: its place is counted in code points, from 1. */
export interface HiddenCharacter {
  /** Such as `U+200B`. */
  name: string;
  place: number;
}

const scripts = (...names: string[]) => `[[${names.map((name) => `\\p{scx=${name}}`).join("")}]--\\p{DI}]`;

/** Whatever is drawn as nothing at all, or steers how the rest is drawn; but no white space. */
const HIDEABLE = "[[\\p{DI}\\p{Cc}\\p{NChar}\\uFFF9-\\uFFFB]--[\\t\\n\\r]]";
const MARK = "[\\u200E\\u200F\\u061C]";
/** Two in a row hide more than either does: of them all, only marks of direction may stand beside another. */
const COMPANION = `[${HIDEABLE}--${MARK}]`;
const LETTER = "[[\\p{L}\\p{M}]--\\p{DI}]";
const PICTURE = "\\p{Extended_Pictographic}";
const MONGOLIAN = scripts("Mongolian");
const RIGHT_TO_LEFT = scripts(
  ...["Hebrew", "Arabic", "Syriac", "Thaana", "Nko", "Samaritan", "Mandaic", "Adlam", "Hanifi_Rohingya"],
);

/** Scripts in which a joiner, or its opposite, chooses between forms of letters that differ in meaning. */
const JOINED = scripts(
  ...["Arabic", "Syriac", "Nko", "Mandaic", "Adlam", "Hanifi_Rohingya", "Mongolian", "Phags_Pa"],
  ...["Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam"],
  ...["Sinhala", "Tibetan", "Myanmar", "Khmer", "Balinese", "Javanese", "Sundanese", "Chakma", "Kaithi"],
  ...["Meetei_Mayek", "Newa", "Grantha", "Tirhuta", "Sharada", "Modi", "Brahmi", "Tai_Tham"],
);

/** Scripts that write no blanks, where a break between words is told by one of no width. */
const UNSPACED = scripts(
  ...["Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Tai_Tham", "Tai_Le", "New_Tai_Lue", "Tai_Viet"],
  ...["Balinese", "Javanese"],
);

/** A character behind something. It stands first in the pattern, so that only where it is anyone looks back. */
const behind = (what: string, character: string) => `${character}(?<=${what}${character})`;

const beside = (script: string, character: string) => [
  `${behind(script, character)}(?!${COMPANION})`,
  `${character}(?<!${COMPANION}${character})(?=${script})`,
];

/** Where a hideable character may stand. Each looks no further than a few characters around it. */
const fits = [
  // One emoji of several.
  `${behind(`${PICTURE}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?`, "\\u200D")}(?=${PICTURE})`,
  ...beside(JOINED, "[\\u200C\\u200D]"),
  ...beside(UNSPACED, "\\u200B"),
  behind(MONGOLIAN, "[\\u180B-\\u180F]"),
  // A hyphen that shows where a line ends, and what keeps marks apart.
  `${behind(LETTER, "[\\u00AD\\u034F]")}(?=${LETTER})`,
  // Of emoji and of other signs, which of two forms is meant.
  behind(`[[\\p{Emoji}${PICTURE}]--[0-9#*]]`, "[\\uFE0E\\uFE0F]"),
  `${behind("[0-9#*]", "[\\uFE0E\\uFE0F]")}(?=\\u20E3)`,
  behind(
    "[[\\p{Ideographic}\\p{Sm}\\p{scx=Myanmar}\\p{scx=Phags_Pa}]--[\\p{ASCII}\\p{DI}]]",
    "[\\uFE00-\\uFE0D]",
  ),
  behind("\\p{Ideographic}", "[\\u{E0100}-\\u{E01EF}]"),
];

/** What is kept apart stays on its line, and holds nothing else that is: nested, they put words in an order of their own. */
const APART = "[^\\u2066-\\u2069\\n\\r\\u2028\\u2029]+";

/** What texts with right-to-left letters need besides; in others it would have nothing to steer. */
const fitsBothWays = [
  `${MARK}(?<!${MARK}{3})`,
  `[\\u2066-\\u2068](?=${APART}\\u2069)`,
  behind(`[\\u2066-\\u2068]${APART}`, "\\u2069"),
];

const rightToLeft = new RegExp(RIGHT_TO_LEFT, "v");
const hideable = new RegExp(HIDEABLE, "v");
const everyHideable = new RegExp(HIDEABLE, "gv");
/** Finds what hides, and flags such as Scotland's, which are spelt with tags: these come first, so that they stay whole. */
const finder = (places: string[]) =>
  new RegExp(`\\p{RGI_Emoji_Tag_Sequence}|(?!${places.join("|")})${HIDEABLE}`, "gv");
const oneWay = finder(fits);
const bothWays = finder([...fits, ...fitsBothWays]);
const FLAG = "\u{1F3F4}";

/** The first character of a text that hides where nothing needs it; null if there is none. Takes time linear in the length. */
export function hiddenCharacter(text: string): HiddenCharacter | null {
  if (!hideable.test(text)) return null;
  for (const { 0: found, index } of text.matchAll(finderFor(text))) {
    if (found.startsWith(FLAG)) continue;
    return { name: nameOf(found), place: [...text.slice(0, index)].length + 1 };
  }
  return null;
}

/** The text without what hides: for what was written elsewhere, whose author can't be asked to write it anew. */
export function withoutHidden(text: string): string {
  if (!hideable.test(text)) return text;
  const shown = text.replace(finderFor(text), (found) => (found.startsWith(FLAG) ? found : ""));
  // What was parted may now stand together, and hide. Nobody writes so in good faith.
  return hiddenCharacter(shown) ? shown.replace(everyHideable, "") : shown;
}

function finderFor(text: string): RegExp {
  return rightToLeft.test(text) ? bothWays : oneWay;
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
