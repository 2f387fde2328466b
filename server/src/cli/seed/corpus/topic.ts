/** What a community talks about: nouns (`thing`, `gear`), noun phrases (`trouble`, `place`) and gerunds (`doing`). */
export interface Topic {
  readonly name: string;
  readonly words: Readonly<Record<Slot, readonly string[]>>;
}

type Slot = "thing" | "gear" | "doing" | "trouble" | "place";

/** Lists are written as one text each, with commas between the words. */
export function topic(name: string, texts: Record<Slot, string>): Topic {
  const lists = Object.entries(texts).map(([slot, text]) => [slot, split(text)]);
  return { name, words: Object.fromEntries(lists) };
}

export function split(text: string): string[] {
  return text.split(",").map((word) => word.trim());
}
