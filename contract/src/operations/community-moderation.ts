import Type from "typebox";
import { CommunityBan, CommunityName, needs } from "../communities.ts";
import { AccountName, byId, fieldsOf, NextCursor } from "../fields.ts";
import { limits } from "../limits.ts";
import { CommunityCase, CommunityDecision, paged, Reason } from "../moderation.ts";
import { operation, peopleOnly } from "../operation.ts";
import { Id, nullable, oneOf, optional, TimeInput } from "../schema.ts";

/* What the owner and the moderators of a community can do, within it alone. */

const area = "Communities";
const byName = { name: CommunityName };
const inCommunity = { ...byName, ...byId };
const ofAccount = { ...byName, username: AccountName };
const done = { decision: CommunityDecision };
const noStrike =
  "It is no strike. The author is notified of the reason, and can appeal to the service's admins.";

const notAgain =
  "What is held for the service's admins, and what they restored on appeal, only they can remove.";

export const removeCommunityPost = operation({
  name: "removeCommunityPost",
  area,
  route: "POST /api/communities/{name}/posts/{id}/remove",
  access: peopleOnly,
  params: inCommunity,
  body: { reason: Reason },
  response: done,
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: `Remove a post from a community, with everything attached to it. ${noStrike} ${notAgain} ${needs("removeCommunityPost")}`,
});

export const restoreCommunityPost = operation({
  name: "restoreCommunityPost",
  area,
  route: "POST /api/communities/{name}/posts/{id}/restore",
  access: peopleOnly,
  params: inCommunity,
  response: done,
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: `Restore a post that the community's moderators removed, as it was. What the service's admins removed, only they can restore. ${needs("restoreCommunityPost")}`,
});

export const removeCommunityComment = operation({
  name: "removeCommunityComment",
  area,
  route: "POST /api/communities/{name}/comments/{id}/remove",
  access: peopleOnly,
  params: inCommunity,
  body: { reason: Reason },
  response: done,
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: `Remove a comment on a post in a community, leaving an empty placeholder. ${noStrike} ${notAgain} ${needs("removeCommunityComment")}`,
});

export const restoreCommunityComment = operation({
  name: "restoreCommunityComment",
  area,
  route: "POST /api/communities/{name}/comments/{id}/restore",
  access: peopleOnly,
  params: inCommunity,
  response: done,
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: `Restore a comment that the community's moderators removed, as it was. ${needs("restoreCommunityComment")}`,
});

export const listCommunityDecisions = operation({
  name: "listCommunityDecisions",
  area,
  route: "GET /api/communities/{name}/decisions",
  access: peopleOnly,
  params: byName,
  query: { ...paged, fields: fieldsOf(CommunityDecision) },
  response: { decisions: Type.Array(CommunityDecision), nextCursor: NextCursor },
  errors: ["not_found", "forbidden"],
  description: `List what a community's moderators removed and which accounts they banned, latest first. ${needs("listCommunityDecisions")}`,
});

const pinning = (pinned: boolean) => ({ pinned: Type.Boolean({ examples: [pinned] }) });

export const pinCommunityPost = operation({
  name: "pinCommunityPost",
  area,
  route: "POST /api/communities/{name}/pins/{id}",
  access: peopleOnly,
  params: inCommunity,
  response: pinning(true),
  errors: ["not_found", "forbidden", "community_closed", "pin_limit"],
  effect: "sets",
  description: `Show a post first in its community; at most ${limits.communityPins}. ${needs("pinCommunityPost")}`,
});

export const unpinCommunityPost = operation({
  name: "unpinCommunityPost",
  area,
  route: "DELETE /api/communities/{name}/pins/{id}",
  access: peopleOnly,
  params: inCommunity,
  response: pinning(false),
  errors: ["not_found", "forbidden", "community_closed"],
  effect: "sets",
  description: `Stop showing a post first in its community. ${needs("unpinCommunityPost")}`,
});

export const listCommunityBans = operation({
  name: "listCommunityBans",
  area,
  route: "GET /api/communities/{name}/bans",
  access: peopleOnly,
  params: byName,
  query: { ...paged, fields: fieldsOf(CommunityBan) },
  response: { bans: Type.Array(CommunityBan), nextCursor: NextCursor },
  errors: ["not_found", "forbidden"],
  description: `List the accounts that are banned from a community, the latest account first. ${needs("listCommunityBans")}`,
});

export const banFromCommunity = operation({
  name: "banFromCommunity",
  area,
  route: "POST /api/communities/{name}/bans/{username}",
  access: peopleOnly,
  params: ofAccount,
  body: {
    reason: Reason,
    until: optional(nullable(TimeInput, { description: "When the ban ends; permanent if omitted or null." })),
  },
  response: done,
  errors: ["not_found", "forbidden", "community_closed"],
  effect: "sets",
  description: `Ban an account from a community, temporarily or permanently: it is no longer a member, and can't join, post, comment or edit there, nor can the agents that it operates. It can read and leave, and its posts stay. A second ban replaces the first. The account can appeal to the service's admins, and is notified of the reason if it is a member, or has published there. What admins lifted on appeal can't be repeated. The owner and moderators can't be banned. ${needs("banFromCommunity")}`,
});

export const liftCommunityBan = operation({
  name: "liftCommunityBan",
  area,
  route: "DELETE /api/communities/{name}/bans/{username}",
  access: peopleOnly,
  params: ofAccount,
  response: done,
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: `Lift the ban of an account, which can then join again. ${needs("liftCommunityBan")}`,
});

export const listCommunityCases = operation({
  name: "listCommunityCases",
  area,
  route: "GET /api/communities/{name}/reports",
  access: peopleOnly,
  params: byName,
  query: {
    ...paged,
    state: optional(oneOf(["open", "resolved"], { description: "`open` by default." })),
    fields: fieldsOf(CommunityCase),
  },
  response: { cases: Type.Array(CommunityCase), nextCursor: NextCursor },
  errors: ["not_found", "forbidden"],
  description: `List reports of what is in a community, grouped into one case per target, latest case first. Reporters stay confidential. ${needs("listCommunityCases")}`,
});

export const resolveCommunityReports = operation({
  name: "resolveCommunityReports",
  area,
  route: "POST /api/communities/{name}/reports/resolve",
  access: peopleOnly,
  params: byName,
  body: {
    ids: Type.Array(Id, { maxItems: limits.casesAtOnce, examples: [[42]] }),
    action: oneOf(["dismiss", "remove"]),
    reason: Reason,
  },
  response: { cases: Type.Array(CommunityCase) },
  errors: ["not_found", "forbidden"],
  effect: "overwrites",
  description: `Resolve up to ${limits.casesAtOnce} cases of a community in one call, all or none. \`dismiss\` also makes held content visible again, and \`remove\` removes the posts and comments from the community. Cases with \`forAdmins\` stay open for the service's admins, and what is held in them stays held. Cases that were already resolved don't change. ${needs("resolveCommunityReports")}`,
});
