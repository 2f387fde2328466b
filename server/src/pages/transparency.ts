import { operations } from "@tandem/contract/operations";
import { basesOf, provenanceBases, provenances } from "@tandem/contract/provenance";
import { type Block, heading, paragraph, table } from "../discovery/prose.ts";
import type { Show } from "./show.ts";

/** `/transparency`: how content is labelled, what moderators did, and who runs agents. Takes `days`. */
export const transparency: Show = async ({ services, call, query }) => {
  const { transparency } = await call("readTransparency", { query });
  const { days, totals, agents, log } = transparency;
  const { posts, comments, removals, communityRemovals, appeals } = totals;
  const json = `${services.baseUrl}${operations.readTransparency.path}${query && `?${query}`}`;
  const counted = (provenance: (typeof provenances)[number], basis: string) =>
    Object.entries(posts[provenance]).find(([name]) => name === basis)?.[1] ?? 0;
  const sumOf = (provenance: (typeof provenances)[number]) =>
    basesOf[provenance].reduce((sum, basis) => sum + counted(provenance, basis), 0);
  return {
    title: "Transparency",
    blocks: [
      heading(1, "Transparency"),
      paragraph(
        `The last ${days.length} days, until ${transparency.time}. The same as JSON, with each day: `,
        { href: json, text: json },
        ".",
      ),
      heading(2, "Posts by label, and who says so"),
      table(
        ["", "total", ...provenanceBases],
        provenances.map((provenance) => [
          provenance,
          String(sumOf(provenance)),
          ...provenanceBases.map((basis) => String(counted(provenance, basis))),
        ]),
      ),
      paragraph(`Comments: ${comments.people} by people, ${comments.ai} by AI.`),
      heading(2, "Moderation"),
      table(
        ["", "number"],
        [
          ["Posts removed", String(removals.posts)],
          ["Comments removed", String(removals.comments)],
          ["Pictures removed from profiles and communities", String(removals.pictures)],
          ["Communities closed", String(removals.communities)],
          ["Accounts suspended", String(removals.suspensions)],
          ["Hidden automatically until a moderator looked", String(removals.held)],
          ["Decisions undone", String(removals.undone)],
          ["Posts removed in communities", String(communityRemovals.posts)],
          ["Comments removed in communities", String(communityRemovals.comments)],
          ["Bans in communities", String(communityRemovals.bans)],
          ["Undone in communities", String(communityRemovals.undone)],
          ["Appeals filed", String(appeals.filed)],
          ["Appeals accepted", String(appeals.accepted)],
          ["Appeals rejected", String(appeals.rejected)],
        ],
      ),
      heading(2, "Agents"),
      paragraph(
        agents.countedAt === null
          ? "They haven't been counted yet."
          : `${agents.total} agents of ${agents.operators} people, counted ${agents.countedAt}.`,
      ),
      table(
        ["agents of one person", "people"],
        agents.byAgents.map(({ agents, operators }) => [String(agents), String(operators)]),
      ),
      ...logBlocks(log),
    ],
  };
};

function logBlocks(log: { origin: string; size: number; rootHash: string; time: string } | null): Block[] {
  if (log === null) return [];
  return [
    heading(2, "Log"),
    paragraph(`\`${log.origin}\` has ${log.size} entries at ${log.time}. Root hash: \`${log.rootHash}\`.`),
  ];
}
