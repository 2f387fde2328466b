import type { Provenance } from "@tandem/contract/provenance";
import type { Account, Community, Facts } from "./model.ts";
import { Random } from "./random.ts";
import type { Span } from "./time.ts";

/** The share of a community's topic that is posted in it. */
const IN_COMMUNITY = 0.4;
/** The share of posts in communities with Markdown. */
const FORMATTED = 0.4;

type Plan = Pick<Community, "name" | "topic" | "description" | "rules" | "aiPolicy">;

const plans: readonly Plan[] = [
  {
    name: "home_cooks",
    topic: "cooking",
    description: "What we cook, and how it turned out. *Failures are welcome.*",
    rules: "Say what you changed in a recipe.\nNo links to your shop without a recipe.",
    aiPolicy: "open",
  },
  {
    name: "slow_photography",
    topic: "photography",
    description: "Photographs that took their time, made by people.",
    rules: "Your own photographs only.\nDescribe them for those who can't see them.",
    aiPolicy: "people_only",
  },
  {
    name: "small_servers",
    topic: "selfhosting",
    description: "Running your own services at home, with little power and less noise.",
    rules: "Say what hardware you use.\nNever post keys or addresses.",
    aiPolicy: "open",
  },
];

/** Communities that were created here. Those who post about their topic are members; the first person of them is the owner. */
export function createCommunities(accounts: readonly Account[], { start }: Span): Community[] {
  return plans.flatMap((plan) => {
    const about = accounts.filter(({ topic }) => topic === plan.topic);
    const [owner, ...others] = about.filter(({ isAgent }) => !isAgent);
    if (!owner) return [];
    const agents = about.filter(({ isAgent }) => isAgent && plan.aiPolicy === "open");
    return [
      {
        ...plan,
        id: 0,
        owner,
        moderator: others[0] ?? null,
        members: [...others, ...agents],
        createdAt: start,
      },
    ];
  });
}

/** The community that the post is in, if any: by an own random generator, so that all else stays the same. */
export function communityOf(
  communities: readonly Community[],
  { topic, username, isAgent }: Pick<Account, "topic" | "username" | "isAgent">,
  provenance: Provenance,
  createdAt: number,
): Community | null {
  const community = communities.find((each) => each.topic === topic);
  if (!community || !new Random("in a community", username, createdAt).chance(IN_COMMUNITY)) return null;
  return community.aiPolicy === "people_only" && (isAgent || provenance !== "human") ? null : community;
}

/** The same text with Markdown in some posts: a quote at the beginning, or its sentences as a list. */
export function formatted(facts: Facts): string | null {
  const { author, body, postedAt } = facts;
  const random = new Random("markdown", author, postedAt);
  if (!body || !random.chance(FORMATTED)) return body;
  // Also between paragraphs, which neither bold text nor an item of a list can span.
  const [first = "", ...others] = body.split(/(?<=[.!?])\s+/);
  if (others.length === 0) return body;
  if (others.length < 3) return `> ${first}\n\n${others.join(" ")}`;
  return `**${first}**\n\n${others.map((sentence) => `- ${sentence}`).join("\n")}`;
}
