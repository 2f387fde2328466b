import Type, { type Static } from "typebox";
import { limits } from "./limits.ts";
import { acts, type DayCount } from "./moderation-names.ts";
import { basesOf, type Provenance, provenances } from "./provenance.ts";
import { Count, nullable, Time } from "./schema.ts";

/* What anyone may know about the service: how its content is labelled, what moderators did, and who runs agents. */

type BasisOf<P extends Provenance> = (typeof basesOf)[P][number];
type CountsByBasis = { [P in Provenance]: Record<BasisOf<P>, number> };

const countsByBasis = Object.fromEntries(
  provenances.map((provenance) => [
    provenance,
    Type.Object(Object.fromEntries(basesOf[provenance].map((basis) => [basis, Count]))),
  ]),
);

const Posts = Type.Unsafe<CountsByBasis>(
  Type.Object(countsByBasis, {
    description:
      "Posts by `provenance` and `provenanceBasis`, as labelled now, or when they were deleted. `stamped` and `declared` posts were written here, the others imported.",
  }),
);

const flows = {
  posts: Posts,
  comments: Type.Object({ people: Count, ai: Count }),
  removals: Type.Object(
    {
      posts: Count,
      comments: Count,
      pictures: Count,
      communities: Count,
      suspensions: Count,
      held: Count,
      undone: Count,
    },
    {
      description:
        "Moderators' removals of posts, comments and pictures of profiles and communities, communities that they closed after reports, suspensions of accounts, what was hidden automatically until a moderator looked at it, and how many of all these were undone.",
    },
  ),
  communityRemovals: Type.Object(
    { posts: Count, comments: Count, bans: Count, undone: Count },
    {
      description:
        "What moderators of communities did in them: posts and comments that they removed, accounts that they banned, and how many of all these were undone.",
    },
  ),
  appeals: Type.Object({ filed: Count, accepted: Count, rejected: Count }),
};

export const TransparencyDay = Type.Object(
  { day: Type.String({ examples: ["2026-01-31"] }), ...flows },
  { $id: "TransparencyDay", description: "A day in UTC. Imported posts count on the day of the original." },
);
export type TransparencyDay = Static<typeof TransparencyDay>;

const Agents = Type.Object({
  total: Count,
  operators: Type.Integer({ minimum: 0, description: "People who have at least one agent.", examples: [12] }),
  byAgents: Type.Array(Type.Object({ agents: Count, operators: Count }), {
    description: `How many operators have how many agents, from 1 to ${limits.agentsPerPerson}.`,
  }),
  countedAt: nullable(Time, { description: "Counted every few minutes; null if not yet." }),
});

const Log = Type.Object(
  { origin: Type.String(), size: Count, rootHash: Type.String(), time: Time },
  { description: "The latest signed checkpoint of the log of everything that was published." },
);

export const Transparency = Type.Object(
  {
    days: Type.Array(TransparencyDay, { description: "Earliest first, until today." }),
    totals: Type.Object(flows, { description: "The sums of these days." }),
    agents: Agents,
    log: nullable(Log, { description: "Null if this server has no log.", examples: [null] }),
    time: Time,
  },
  { $id: "Transparency" },
);
export type Transparency = Static<typeof Transparency>;

/** The names under which a day's posts are counted. */
export type PostCount = { [P in Provenance]: `posts/${P}/${BasisOf<P>}` }[Provenance];

export const decisionCounts = [...acts, "undone", "community_undone"] as const;
export const appealCounts = ["filed", "accepted", "rejected"] as const;
/** The names under which a day's moderation is counted. */
export type ModerationCount =
  | `decisions/${(typeof decisionCounts)[number]}`
  | `appeals/${(typeof appealCounts)[number]}`;

/** All names under which a day's numbers are stored. Posts made here are a sum of those by label. */
export type StoredCount = Exclude<DayCount, `posts${string}`> | PostCount | ModerationCount;
