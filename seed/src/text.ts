import { agentComments, type CommentTemplate, comments, mentions, replies } from "./corpus/comments.ts";
import { common } from "./corpus/common.ts";
import { type Language, languages } from "./corpus/languages.ts";
import * as sentences from "./corpus/sentences.ts";
import { topics } from "./corpus/topics.ts";
import * as unpublished from "./corpus/unpublished.ts";
import type { Random } from "./random.ts";
import { capitalize, type Template, type Words } from "./templates.ts";

/** Each topic's words, with the common ones. */
const wordsByTopic = new Map<string, Words>(topics.map(({ name, words }) => [name, { ...common, ...words }]));

export const topicNames: readonly string[] = topics.map((topic) => topic.name);

/** What a post and its comments are about. */
export interface Subject {
  /** One word for most slots, so that the post and its comments talk about the same things. */
  words: Words;
  /** Null for English. */
  language: Language | null;
}

export interface PostText {
  title: string;
  body: string | null;
  subject: Subject;
}

export type Voice = "person" | "agent" | "news";

const voices = {
  person: {
    titles: sentences.titles,
    openings: sentences.openings,
    sentences: sentences.sentences,
    closings: sentences.closings,
  },
  agent: {
    titles: sentences.agentTitles,
    openings: sentences.agentOpenings,
    sentences: sentences.agentSentences,
    closings: sentences.agentClosings,
  },
  news: { titles: sentences.newsTitles, openings: [], sentences: sentences.newsSentences, closings: [] },
};

/** The share of posts in another language than English. */
const OTHER_LANGUAGES = 0.06;
/** The share of bodies that end with a hashtag. */
const TAGGED = 0.18;

/** The text of a post. `bodies` is the probability that it has a body. */
export function postText(random: Random, topic: string, voice: Voice, bodies: number): PostText {
  if (random.chance(OTHER_LANGUAGES)) return translatedText(random, topic, bodies);
  const subject = createSubject(random, topic);
  const title = capitalize(random.pick(voices[voice].titles)(random, subject.words));
  const decorated = voice !== "news" && random.chance(0.04) ? `${title} ${random.pick(common.emoji)}` : title;
  const body = random.chance(bodies) ? createBody(random, subject.words, voice) : null;
  return { title: decorated, body, subject };
}

/** Slots for which a subject has only one word. */
const fixedSlots = ["thing", "gear", "doing", "trouble", "place", "city"];

function createSubject(random: Random, topic: string): Subject {
  const all = wordsOf(topic);
  const fixed = fixedSlots.map((slot) => [slot, [random.pick(all[slot] ?? [])]]);
  const words: Words = { ...all, ...Object.fromEntries(fixed) };
  const otherGear = (all.gear ?? []).filter((gear) => !words.gear?.includes(gear));
  return { words: { ...words, gear2: [random.pick(otherGear)], tag: [topic] }, language: null };
}

function translatedText(random: Random, topic: string, bodies: number): PostText {
  const language = random.pick(languages);
  const { words, titles, sentences } = language;
  const title = capitalize(random.pick(titles)(random, words));
  const body = random.chance(bodies) ? paragraph(random, sentences, words, random.between(1, 3)) : null;
  return { title, body, subject: { ...createSubject(random, topic), language } };
}

/** An opening, some sentences, sometimes in two paragraphs, and a closing. */
function createBody(random: Random, words: Words, voice: Voice): string {
  const { openings, sentences, closings } = voices[voice];
  const opening = openings.length > 0 ? paragraph(random, openings, words, 1) : "";
  const first = random.between(openings.length > 0 ? 0 : 1, 3);
  const second = random.chance(0.15) ? random.between(2, 4) : 0;
  const lines = createLines(random, sentences, words, first + second);
  const paragraphs = [[opening, ...lines.slice(0, first)], lines.slice(first)];
  if (closings.length > 0 && random.chance(0.4))
    paragraphs.at(-1)?.push(paragraph(random, closings, words, 1));
  const texts = paragraphs.map((lines) => lines.filter(Boolean).join(" ")).filter(Boolean);
  return addHashtags(random, texts.join("\n\n"), words);
}

/** Appends hashtags to some texts. */
function addHashtags(random: Random, text: string, { tag = [], city = [] }: Words): string {
  if (!random.chance(TAGGED)) return text;
  const cityTag = random.chance(0.3) ? ` #${random.pick(city).replaceAll(" ", "")}` : "";
  return `${text} #${random.pick(tag)}${cityTag}`;
}

/** Consecutive templates, from a random one on, so that none repeats. */
function createLines(random: Random, from: readonly Template[], words: Words, count: number): string[] {
  const start = random.between(0, from.length - 1);
  const rotated = [...from.slice(start), ...from.slice(0, start)];
  return rotated.slice(0, count).map((template) => capitalize(template(random, words)));
}

function paragraph(random: Random, from: readonly Template[], words: Words, count: number): string {
  return createLines(random, from, words, count).join(" ");
}

const lineTemplates = {
  bio: sentences.bios,
  agentBio: sentences.agentBios,
  alt: sentences.alts,
  product: sentences.products,
  live: sentences.lives,
  summary: sentences.newsSentences,
  draft: unpublished.drafts,
  draftBody: unpublished.draftBodies,
  reportReason: unpublished.reportReasons,
  reportNote: unpublished.reportNotes,
  appeal: unpublished.appeals,
  appealAnswer: unpublished.appealAnswers,
  appealRejection: unpublished.appealRejections,
  suspensionReason: unpublished.suspensionReasons,
};

/** A short text of this kind. */
export function line(random: Random, kind: keyof typeof lineTemplates, topic: string): string {
  return paragraph(random, lineTemplates[kind], createSubject(random, topic).words, 1);
}

/** A comment on a post, and replies that the post's author could write. */
export function commentText(
  random: Random,
  { words, language }: Subject,
  isAgent: boolean,
): { body: string; answers: readonly Template[] } {
  if (language) return { body: paragraph(random, language.sentences, language.words, 1), answers: [] };
  const list = isAgent && random.chance(0.7) ? agentComments : comments;
  const { comment, answers } = random.pick<CommentTemplate>(list);
  return { body: capitalize(comment(random, words)), answers };
}

/** A reply: one of the answers or, without any, one that fits every comment. */
export function replyText(
  random: Random,
  { words, language }: Subject,
  answers: readonly Template[],
): string {
  if (language) return paragraph(random, language.sentences, language.words, 1);
  return capitalize(random.pick(answers.length > 0 ? answers : replies)(random, words));
}

/** A comment that mentions an account. */
export function mentionText(random: Random, { words }: Subject, username: string): string {
  return capitalize(random.pick(mentions)(random, { ...words, mention: [`@${username}`] }));
}

/** The messages of two people, or of a person and an agent, in turns. The person who starts is `me`. */
export function conversationText(
  random: Random,
  topic: string,
  { me, you, withAgent }: { me: string; you: string; withAgent: boolean },
): string[] {
  const lines = random.pick(withAgent ? unpublished.agentConversations : unpublished.conversations);
  const { words } = createSubject(random, topic);
  return lines.map((template) => capitalize(template(random, { ...words, me: [me], you: [you] })));
}

function wordsOf(topic: string): Words {
  const words = wordsByTopic.get(topic);
  if (!words) throw new Error(`no topic ${topic}`);
  return words;
}
