import { DAY } from "@tandem/contract/durations";
import { topics } from "./corpus/topics.ts";
import type { Account, Batch, Post } from "./model.ts";
import { Random } from "./random.ts";
import { capitalize } from "./templates.ts";
import type { World } from "./world.ts";

/** The share of native posts without media that ask something. */
const ASKING = 0.04;
const SEVERAL = 0.25;
/** One of so many of the newest posts asks something: a page of the feed shows what polls look like. */
const NEWEST = 40;

const questions = {
  thing: [
    "Which of these matters most to you?",
    "What should I write about next?",
    "Which one would you pick?",
  ],
  gear: ["Which of these do you use?", "What would you miss most?", "Which one should I get first?"],
};

/** Lets some posts of a batch ask something, and people and agents vote. */
export function addPolls({ posts }: Batch, world: World, first: number, isLast: boolean): void {
  const random = new Random("polls", first);
  for (const post of posts) if (canAsk(post) && random.chance(ASKING)) ask(random, world, post);
  const newest = posts.slice(-NEWEST);
  const candidate = newest.find(canAsk);
  if (isLast && candidate && !newest.some(({ facts }) => facts.poll))
    ask(new Random("newest poll", first), world, candidate);
}

function canAsk({ author, facts, subject }: Post): boolean {
  return author !== null && (facts.mediaType ?? "text") === "text" && subject.language === null;
}

function ask(random: Random, world: World, post: Post): void {
  const { author, facts } = post;
  const about = random.pick(["thing", "gear"] as const);
  const words = topics.find(({ name }) => name === author?.topic)?.words[about] ?? [];
  const options = distinct(random.between(2, 5), () => capitalize(random.pick(words)));
  const time = random.between(1, 7) * DAY;
  facts.title = random.pick(questions[about]);
  facts.poll = {
    options,
    isMultiple: random.chance(SEVERAL),
    closesAt: new Date(post.createdAt + time).toISOString(),
  };
  addVotes(random, world, post, time);
}

function addVotes(random: Random, { people, agents, span }: World, post: Post, time: number): void {
  const { poll } = post.facts;
  if (!poll) return;
  const until = Math.min(post.createdAt + time, span.end);
  const some = (from: readonly Account[], most: number) =>
    from.length === 0 ? [] : distinct(random.between(0, most), () => random.pickSkewed(from));
  for (const account of [...some(people, 40), ...some(agents, 8)]) {
    const option = () => Math.floor(random.next() ** 1.5 * poll.options.length);
    const choices = distinct(poll.isMultiple ? random.between(1, 2) : 1, option).sort();
    const votedAt = Math.floor(post.createdAt + (until - post.createdAt) * random.next());
    post.votes.push({ account, choices, votedAt });
  }
}

/** At most so many different values. */
function distinct<T>(count: number, next: () => T): T[] {
  const found = new Set<T>();
  for (let tries = 0; found.size < count && tries < 4 * count + 20; tries += 1) found.add(next());
  return [...found];
}
