import type { Batch, Post } from "./model.ts";
import { Random } from "./random.ts";

/** The share of native posts that quote another. */
const QUOTING = 0.03;
/** The share of native posts that no one else may quote. */
const NOT_QUOTABLE = 0.01;
/** How many posts before it a post may quote. */
const RECENT = 200;

/** Lets some posts of a batch quote earlier ones. What is in a community stays there, whose policy on AI holds for quotes, too. */
export function addQuotes({ posts, notifications }: Batch, first: number): void {
  const random = new Random("quotes", first);
  const others: Post[] = [];
  for (const post of posts) {
    const { author, facts } = post;
    if (author && random.chance(NOT_QUOTABLE)) facts.quotePolicy = "nobody";
    if (facts.community && author) continue;
    const quoted = author && random.chance(QUOTING) ? random.pick(others.slice(-RECENT)) : undefined;
    if (author && quoted && (quoted.facts.quotePolicy !== "nobody" || quoted.author === author)) {
      post.quoted = quoted;
      quoted.quotes += 1;
      const notification = {
        type: "quote",
        actor: author,
        post,
        comment: null,
        createdAt: post.createdAt,
      } as const;
      if (quoted.author && quoted.author !== author)
        notifications.push({ ...notification, id: 0, recipient: quoted.author });
    }
    others.push(post);
  }
}
