import { common } from "./corpus/common.ts";
import * as letters from "./corpus/letters.ts";
import { agentComments, calls, comments, type Remark, replies } from "./corpus/remarks.ts";
import { type Script, scripts } from "./corpus/scripts.ts";
import * as said from "./corpus/sentences.ts";
import { topics } from "./corpus/topics.ts";
import { type Bank, capital, type Phrase } from "./grammar.ts";
import type { Random } from "./random.ts";

/** A topic's words together with those that fit all of them. */
const banks = new Map<string, Bank>(topics.map(({ name, words }) => [name, { ...common, ...words }]));

export const topicNames: readonly string[] = topics.map((topic) => topic.name);

/** What a post, and all that is said of it, turns around. */
export interface Subject {
  /** Of most slots one word, so that whoever speaks of it means the same. */
  bank: Bank;
  /** Where it is in another language than English. */
  script: Script | null;
}

export interface Writing {
  title: string;
  body: string | null;
  about: Subject;
}

export type Voice = "person" | "agent" | "news";

const voices = {
  person: {
    titles: said.titles,
    openings: said.openings,
    sentences: said.sentences,
    closings: said.closings,
  },
  agent: {
    titles: said.agentTitles,
    openings: said.agentOpenings,
    sentences: said.agentSentences,
    closings: said.agentClosings,
  },
  news: { titles: said.newsTitles, openings: [], sentences: said.newsSentences, closings: [] },
};
/** So many posts are in another language than English. */
const FOREIGN = 0.06;
/** So many texts end in a hashtag. */
const TAGGED = 0.18;

/** The words of a post; `wordy` is how likely it has a body. */
export function writing(random: Random, topic: string, voice: Voice, wordy: number): Writing {
  if (random.chance(FOREIGN)) return foreign(random, topic, wordy);
  const about = subject(random, topic);
  const title = capital(random.pick(voices[voice].titles)(random, about.bank));
  const decorated = voice !== "news" && random.chance(0.04) ? `${title} ${random.pick(common.emoji)}` : title;
  return { title: decorated, body: random.chance(wordy) ? body(random, about.bank, voice) : null, about };
}

/** Slots of which a subject has one word. */
const settled = ["thing", "gear", "doing", "trouble", "place", "city"];

export function subject(random: Random, topic: string): Subject {
  const whole = bankOf(topic);
  const chosen = settled.map((slot) => [slot, [random.pick(whole[slot] ?? [])]]);
  const bank: Bank = { ...whole, ...Object.fromEntries(chosen) };
  const others = (whole.gear ?? []).filter((gear) => !bank.gear?.includes(gear));
  return { bank: { ...bank, gear2: [random.pick(others)], tag: [topic] }, script: null };
}

function foreign(random: Random, topic: string, wordy: number): Writing {
  const script = random.pick(scripts);
  const { words, titles, sentences } = script;
  const title = capital(random.pick(titles)(random, words));
  const body = random.chance(wordy) ? several(random, sentences, words, random.between(1, 3)) : null;
  return { title, body, about: { ...subject(random, topic), script } };
}

/** An opening, some sentences, now and then in two paragraphs, and a closing. */
function body(random: Random, bank: Bank, voice: Voice): string {
  const { openings, sentences, closings } = voices[voice];
  const opening = openings.length > 0 ? several(random, openings, bank, 1) : "";
  const first = random.between(openings.length > 0 ? 0 : 1, 3);
  const second = random.chance(0.15) ? random.between(2, 4) : 0;
  const lines = linesOf(random, sentences, bank, first + second);
  const paragraphs = [[opening, ...lines.slice(0, first)], lines.slice(first)];
  if (closings.length > 0 && random.chance(0.4)) paragraphs.at(-1)?.push(several(random, closings, bank, 1));
  const whole = paragraphs.map((one) => one.filter(Boolean).join(" ")).filter(Boolean);
  return tagged(random, whole.join("\n\n"), bank);
}

/** Hashtags are searches, so they stand in the text. */
function tagged(random: Random, text: string, { tag = [], city = [] }: Bank): string {
  if (!random.chance(TAGGED)) return text;
  const more = random.chance(0.3) ? ` #${random.pick(city).replaceAll(" ", "")}` : "";
  return `${text} #${random.pick(tag)}${more}`;
}

/** So many sentences of a kind, one after the other in the list from somewhere on, so that none comes twice. */
function linesOf(random: Random, from: readonly Phrase[], bank: Bank, count: number): string[] {
  const begin = random.between(0, from.length - 1);
  const turned = [...from.slice(begin), ...from.slice(0, begin)];
  return turned.slice(0, count).map((say) => capital(say(random, bank)));
}

function several(random: Random, from: readonly Phrase[], bank: Bank, count: number): string {
  return linesOf(random, from, bank, count).join(" ");
}

/** Other short texts, each a sentence of its kind. */
const kinds = {
  bio: said.bios,
  agentBio: said.agentBios,
  alt: said.alts,
  product: said.products,
  live: said.lives,
  summary: said.newsSentences,
  draft: letters.drafts,
  draftBody: letters.draftBodies,
  reportReason: letters.reportReasons,
  reportNote: letters.reportNotes,
  appeal: letters.appeals,
  answer: letters.answers,
  ban: letters.bans,
};

export function line(random: Random, kind: keyof typeof kinds, topic: string): string {
  return several(random, kinds[kind], subject(random, topic).bank, 1);
}

/** A comment on a post, and replies that its author could write. */
export function remark(
  random: Random,
  { bank, script }: Subject,
  isAgent: boolean,
): { body: string; answers: readonly Phrase[] } {
  if (script) return { body: several(random, script.sentences, script.words, 1), answers: [] };
  const { says, answers } = random.pick<Remark>(isAgent && random.chance(0.7) ? agentComments : comments);
  return { body: capital(says(random, bank)), answers };
}

/** An answer: one of those that fit, or one that fits always. */
export function reply(random: Random, { bank, script }: Subject, fitting: readonly Phrase[]): string {
  if (script) return several(random, script.sentences, script.words, 1);
  return capital(random.pick(fitting.length > 0 ? fitting : replies)(random, bank));
}

/** A comment that draws someone's attention to a post. */
export function call(random: Random, { bank }: Subject, username: string): string {
  return capital(random.pick(calls)(random, { ...bank, mention: [`@${username}`] }));
}

/** What two people write to each other, or a person and an agent, in turns. */
export function talk(
  random: Random,
  topic: string,
  { me, you, withAgent }: { me: string; you: string; withAgent: boolean },
): string[] {
  const lines = random.pick(withAgent ? letters.toAgents : letters.talks);
  const { bank } = subject(random, topic);
  return lines.map((say) => capital(say(random, { ...bank, me: [me], you: [you] })));
}

function bankOf(topic: string): Bank {
  const bank = banks.get(topic);
  if (!bank) throw new Error(`no topic ${topic}`);
  return bank;
}
