import { MINUTE } from "@tandem/contract/durations";
import { basesOf, provenances } from "@tandem/contract/provenance";
import type { Transparency, TransparencyDay } from "@tandem/contract/transparency";
import type { Handlers } from "../../http/context.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { countsOfDays, dateOf, dayOf } from "../shared/daily-stats.ts";
import { latestCheckpoint } from "../transparency-log/head.ts";
import { readAgents } from "./operator-counts.ts";

const DEFAULT_DAYS = 30;

export const transparency = {
  readTransparency: async ({ services, read, now }, { days = DEFAULT_DAYS }) => {
    const cache = cacheOf(services);
    const known = cache.get(days);
    if (known && known.readAt <= now && known.readAt > now - MINUTE) return { transparency: known.response };
    const response = await readTransparency(read, now, days);
    cache.set(days, { readAt: now, response });
    return { transparency: response };
  },
} satisfies Handlers<"readTransparency">;

interface Cached {
  readAt: number;
  response: Transparency;
}

/** Anyone may ask, so each process reads it once a minute, per number of days. */
const cacheOf = memoizePerInstance((_: Services) => new Map<number, Cached>());

async function readTransparency(db: Db, now: number, days: number): Promise<Transparency> {
  const today = dayOf(now);
  const counted = await countsOfDays(db, today, days);
  const totals = new Map<string, number>();
  for (const counts of counted)
    for (const [what, count] of counts) totals.set(what, count + (totals.get(what) ?? 0));
  return {
    days: counted.map((counts, i) => ({ day: dateOf(today - days + 1 + i), ...flowsOf(counts) })),
    totals: flowsOf(totals),
    agents: await readAgents(db),
    log: await latestCheckpoint(db),
    time: new Date(now).toISOString(),
  };
}

function flowsOf(counts: ReadonlyMap<string, number>): Omit<TransparencyDay, "day"> {
  // A count that a later change of label moved can't be negative, but a lost one must not make the response invalid.
  const of = (what: string) => Math.max(0, counts.get(what) ?? 0);
  const posts = provenances.map((provenance) => [
    provenance,
    Object.fromEntries(basesOf[provenance].map((basis) => [basis, of(`posts/${provenance}/${basis}`)])),
  ]);
  return {
    posts: Object.fromEntries(posts),
    comments: { people: of("commentsByPeople"), ai: of("commentsByAi") },
    removals: {
      posts: of("decisions/remove_post"),
      comments: of("decisions/remove_comment"),
      pictures:
        of("decisions/remove_avatar") +
        of("decisions/remove_banner") +
        of("decisions/remove_community_picture"),
      communities: of("decisions/close_community"),
      suspensions: of("decisions/suspend"),
      held: of("decisions/hold_post") + of("decisions/hold_comment"),
      undone: of("decisions/undone"),
    },
    communityRemovals: {
      posts: of("decisions/community_remove_post"),
      comments: of("decisions/community_remove_comment"),
      bans: of("decisions/community_ban"),
      undone: of("decisions/community_undone"),
    },
    appeals: {
      filed: of("appeals/filed"),
      accepted: of("appeals/accepted"),
      rejected: of("appeals/rejected"),
    },
  };
}
