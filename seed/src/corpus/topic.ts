/**
 * A topic's words for the slots of templates: nouns (`thing`, `gear`), noun phrases (`trouble`), phrases of place (`place`)
 * and gerunds (`doing`).
 */
export interface Topic {
  readonly name: string;
  readonly words: Readonly<Record<Slot, readonly string[]>>;
}

type Slot = "thing" | "gear" | "doing" | "trouble" | "place";

/** Each slot's words are one comma-separated text. */
export function topic(name: string, texts: Record<Slot, string>): Topic {
  const lists = Object.entries(texts).map(([slot, text]) => [slot, splitWords(text)]);
  return { name, words: Object.fromEntries(lists) };
}

export function splitWords(text: string): string[] {
  return text.split(",").map((word) => word.trim());
}
