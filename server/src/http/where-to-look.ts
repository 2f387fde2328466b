import { withRoutes } from "@tandem/contract/hints";

/** Where to look for what doesn't exist, by what errors call it. Names of operations in braces stand for their routes. */
const shared: Readonly<Record<string, string>> = {
  account: "{searchCreators}",
  ban: "{listCommunityBans}",
  comment: "{listComments}",
  community:
    "{listCommunities}. One on another platform has only a feed: {listPosts} with its `platform` and `community`",
  creator: "{searchCreators}",
  "member of this community": "{listCommunityMembers}",
  post: "{listPosts}",
  product: "{listProducts}",
  source: "{listSources}",
  "waiting sign-up": "{listSignUps}",
};

/** The same for what each account has of its own. */
const own: Readonly<Record<string, string>> = {
  agent: "{listAgents}",
  "collection in your account": "{listCollections}",
  conversation: "{listConversations}",
  decision: "{listDecisions}",
  "delivery of this webhook": "{listDeliveries}",
  "draft in your account": "{listDrafts}",
  "friend request": "{listFriendRequests}",
  import: "{listImports}",
  invitation: "{listInvitations}",
  key: "{listKeys}",
  "list in your account": "{listLists}",
  passkey: "{listPasskeys}",
  "product in your shop": "{listProducts} with `mine=1`",
  "push subscription in your account": "{listPushSubscriptions}",
  "saved search in your account": "{listSavedSearches}",
  session: "{listSessions}",
  "webhook in your account": "{listWebhooks}",
};

export const places: Readonly<Record<string, string>> = { ...shared, ...own };

/** A hint for what doesn't exist. Undefined if nothing lists its kind. */
export function whereToLook(what: string): string | undefined {
  if (!Object.hasOwn(places, what)) return undefined;
  // A draft ends when it is published.
  const end = what.startsWith("draft ") ? "published, deleted," : "deleted";
  const otherwise = Object.hasOwn(own, what) ? ", or isn't yours" : "";
  return withRoutes(`It was ${end} or never existed${otherwise}. Look for it with ${places[what]}.`);
}
