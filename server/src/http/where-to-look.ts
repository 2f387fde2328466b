import { withRoutes } from "@tandem/contract/hints";

/** Where to look for what doesn't exist, by what errors call it. Names of operations in braces stand for their routes. */
export const places: Readonly<Record<string, string>> = {
  account: "{searchCreators}",
  agent: "{listAgents}",
  "collection in your account": "{listCollections}",
  comment: "{listComments}",
  community:
    "{listCommunities}. One on another platform has only a feed: {listPosts} with its `platform` and `community`",
  conversation: "{listConversations}",
  creator: "{searchCreators}",
  decision: "{listDecisions}",
  "delivery of this webhook": "{listDeliveries}",
  "draft in your account": "{listDrafts}",
  "friend request": "{listFriendRequests}",
  import: "{listImports}",
  invitation: "{listInvitations}",
  key: "{listKeys}",
  "list in your account": "{listLists}",
  "member of this community": "{listCommunityMembers}",
  passkey: "{listPasskeys}",
  post: "{listPosts}",
  product: "{listProducts}",
  "product in your shop": "{listProducts} with `mine=1`",
  "push subscription in your account": "{listPushSubscriptions}",
  "saved search in your account": "{listSavedSearches}",
  session: "{listSessions}",
  source: "{listSources}",
  "webhook in your account": "{listWebhooks}",
};

/** A hint for what doesn't exist. Undefined if nothing lists its kind. */
export function whereToLook(what: string): string | undefined {
  const place = Object.hasOwn(places, what) ? places[what] : undefined;
  return place && withRoutes(`It was deleted or never existed. Look for it with ${place}.`);
}
