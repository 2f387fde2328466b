import type { Random } from "./random.ts";

/** Words by the name of the slot that they can fill. */
export type Words = Readonly<Record<string, readonly string[]>>;

/** Creates a text with random words. */
export type Template = (random: Random, words: Words) => string;

/**
 * A template per line. `{gear}` is replaced by a word for that slot, `{a gear}` by the word with its article, `{gear+}` by its
 * plural, `{2-30}` by a number in that range, and `[this|or that]` by one of the alternatives.
 */
export function templates(lines: string): Template[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => template(line.trim()));
}

function template(text: string): Template {
  const parts = text.split(/(\{[^}]*\}|\[[^\]]*\])/).filter(Boolean);
  const compiled = parts.map((text, i) => {
    const startsSentence = /[.!?] $/.test(parts[i - 1] ?? "");
    const part = compilePart(text);
    return startsSentence ? (random: Random, words: Words) => capitalize(part(random, words)) : part;
  });
  return (random, words) => {
    let text = "";
    for (const part of compiled) text += part(random, words);
    return text;
  };
}

function compilePart(text: string): Template {
  if (text.startsWith("[")) return choice(text.slice(1, -1).split("|").map(template));
  if (!text.startsWith("{")) return () => text;
  const range = /^\{(\d+)-(\d+)\}$/.exec(text);
  return range
    ? (random) => String(random.between(Number(range[1]), Number(range[2])))
    : slot(text.slice(1, -1));
}

function choice(options: Template[]): Template {
  return (random, words) => random.pick(options)(random, words);
}

function slot(text: string): Template {
  const name = text.replace(/^a |\+$/g, "");
  const word: Template = (random, words) => {
    const candidates = words[name];
    if (!candidates) throw new Error(`no words for {${name}}`);
    return random.pick(candidates);
  };
  if (text.startsWith("a ")) return (random, words) => withArticle(word(random, words));
  if (text.endsWith("+")) return (random, words) => plural(word(random, words));
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

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
