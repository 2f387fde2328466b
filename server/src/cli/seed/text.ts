import { type Bank, capital, type Phrase } from "./grammar.ts";
import type { Random } from "./random.ts";
import { common } from "./words/common.ts";
import { scripts } from "./words/scripts.ts";
import * as said from "./words/sentences.ts";
import { topics } from "./words/topics.ts";

/** A topic's words together with those that fit all of them. */
const banks = new Map<string, Bank>(topics.map(({ name, words }) => [name, { ...common, ...words }]));

export const topicNames: readonly string[] = topics.map((topic) => topic.name);

export interface Writing {
  title: string;
  body: string | null;
}

export type Voice = "person" | "agent" | "news";

const titlesOf = { person: said.titles, agent: said.agentTitles, news: said.newsTitles };
/** So many posts are in another language than English. */
const FOREIGN = 0.06;

/** The words of a post; `wordy` is how likely it has a body. */
export function writing(random: Random, topic: string, voice: Voice, wordy: number): Writing {
  if (random.chance(FOREIGN)) return foreign(random, wordy);
  const bank = bankOf(topic);
  const title = capital(random.pick(titlesOf[voice])(random, bank));
  const decorated = voice !== "news" && random.chance(0.04) ? `${title} ${random.pick(common.emoji)}` : title;
  return { title: decorated, body: random.chance(wordy) ? body(random, bank) : null };
}

function foreign(random: Random, wordy: number): Writing {
  const { words, titles, sentences } = random.pick(scripts);
  const title = capital(random.pick(titles)(random, words));
  return {
    title,
    body: random.chance(wordy) ? several(random, sentences, words, random.between(1, 3)) : null,
  };
}

function body(random: Random, bank: Bank): string {
  const opening = several(random, said.openings, bank, 1);
  const middle = several(random, said.sentences, bank, random.between(0, 3));
  const paragraph = `${opening} ${middle}`.trim();
  if (random.chance(0.15)) {
    return `${paragraph}\n\n${several(random, said.sentences, bank, random.between(2, 5))}`;
  }
  return random.chance(0.4) ? `${paragraph} ${several(random, said.closings, bank, 1)}` : paragraph;
}

/** So many sentences of a kind, one after the other in the list from somewhere on, so that none comes twice. */
function several(random: Random, from: readonly Phrase[], bank: Bank, count: number): string {
  const lines: string[] = [];
  let at = random.between(0, from.length - 1);
  for (let i = 0; i < count; i += 1) {
    lines.push(capital((from[at] as Phrase)(random, bank)));
    at = (at + random.between(1, 3)) % from.length;
  }
  return lines.join(" ");
}

/** Other short texts, each a sentence of its kind. */
const kinds = {
  comment: said.comments,
  reply: said.replies,
  bio: said.bios,
  agentBio: said.agentBios,
  alt: said.alts,
  product: said.products,
  live: said.lives,
  summary: said.sentences,
};

export function line(random: Random, kind: keyof typeof kinds, topic: string): string {
  return several(random, kinds[kind], bankOf(topic), 1);
}

/** A longer remark now and then. */
export function remark(random: Random, topic: string, isReply: boolean): string {
  const first = line(random, isReply ? "reply" : "comment", topic);
  return random.chance(0.25) ? `${first} ${line(random, "summary", topic)}` : first;
}

function bankOf(topic: string): Bank {
  const bank = banks.get(topic);
  if (!bank) throw new Error(`no topic ${topic}`);
  return bank;
}
