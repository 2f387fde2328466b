import type { Facts } from "./model.ts";
import { Random } from "./random.ts";

/** The share of native posts with hashtags. */
const TAGGED = 0.35;
/** Hashtags on any topic. */
const general = ["weekend", "question", "firsttry", "progress", "advice", "mistakes"];

/** The text with hashtags at its end in some posts: the author's topic, and one on any topic. By an own random generator. */
export function withHashtags(facts: Facts, topic: string): string | null {
  const { author, body, postedAt } = facts;
  const random = new Random("hashtags", author, postedAt);
  if (!random.chance(TAGGED)) return body ?? null;
  const tags = [topic, random.pick(general)].slice(0, random.between(1, 2)).map((tag) => `#${tag}`);
  return [body, tags.join(" ")].filter(Boolean).join("\n\n");
}
