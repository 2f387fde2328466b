import type { Random } from "./random.ts";

/** Words by the name of the slot they may fill. */
export type Bank = Readonly<Record<string, readonly string[]>>;

export type Phrase = (random: Random, bank: Bank) => string;

/**
 * Sentences with slots: `{gear}` takes a word of that name, `{a gear}` gives it its article, `{gear+}` its
 * plural, `{2-30}` a number in that range, and `[this|or that]` one of its parts.
 */
export function phrases(lines: string): Phrase[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => phrase(line.trim()));
}

function phrase(text: string): Phrase {
  const parts = text.split(/(\{[^}]*\}|\[[^\]]*\])/).filter(Boolean);
  const compiled = parts.map((text, i) => {
    const begins = /[.!?] $/.test(parts[i - 1] ?? "");
    const said = part(text);
    return begins ? (random: Random, bank: Bank) => capital(said(random, bank)) : said;
  });
  return (random, bank) => {
    let said = "";
    for (const one of compiled) said += one(random, bank);
    return said;
  };
}

function part(text: string): Phrase {
  if (text.startsWith("[")) return choice(text.slice(1, -1).split("|").map(phrase));
  if (!text.startsWith("{")) return () => text;
  const range = /^\{(\d+)-(\d+)\}$/.exec(text);
  return range
    ? (random) => String(random.between(Number(range[1]), Number(range[2])))
    : slot(text.slice(1, -1));
}

function choice(options: Phrase[]): Phrase {
  return (random, bank) => random.pick(options)(random, bank);
}

function slot(text: string): Phrase {
  const name = text.replace(/^a |\+$/g, "");
  const word: Phrase = (random, bank) => {
    const words = bank[name];
    if (!words) throw new Error(`no words for {${name}}`);
    return random.pick(words);
  };
  if (text.startsWith("a ")) return (random, bank) => withArticle(word(random, bank));
  if (text.endsWith("+")) return (random, bank) => plural(word(random, bank));
  return word;
}

function withArticle(noun: string): string {
  return /^(honest|(?!uni|use|UPS)[aeiouAEIO])/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function plural(noun: string): string {
  if (noun.startsWith("pair of ")) return `pairs${noun.slice(4)}`;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** The first letter upper case, as a sentence begins. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
