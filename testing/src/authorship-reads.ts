import { type OperationName, operationList } from "@tandem/contract/operations";
import { accounts, type World } from "./authorship-model.ts";
import type { Caller } from "./callers.ts";

/** The operations that show what others wrote: how the model reads each, or why it doesn't. */

type Reads = (world: World) => [Caller, object][];

const everyAccount =
  (input: (name: string) => object): Reads =>
  ({ bob, names }) =>
    accounts.map((account) => [bob, input(names[account])]);
const creators = everyAccount((author) => ({ platform: "native", author }));
const own =
  (input: object = {}): Reads =>
  ({ ada, callers }) =>
    [ada, callers.bot].map((caller) => [caller, input]);
const asBob: Reads = ({ bob }) => [[bob, {}]];
const asAda: Reads = ({ ada }) => [[ada, {}]];
const one =
  (items: "posts" | "comments"): Reads =>
  ({ bob, [items]: [first] }) =>
    first ? [[bob, { id: first.id }]] : [];

export const reads: Partial<Record<OperationName, Reads>> = {
  listPosts: ({ bob, names, community }) => [
    ...accounts.map((account): [Caller, object] => [bob, { author: names[account], limit: 50 }]),
    ...[{ followed: 1 }, { saved: 1 }, { community }, { q: "tok" }].map((filter): [Caller, object] => [
      bob,
      filter,
    ]),
  ],
  readPost: one("posts"),
  listStory: one("posts"),
  listQuotes: ({ bob, bobsPost, posts: [first] }) =>
    [bobsPost, first?.id ?? bobsPost].map((id) => [bob, { id, limit: 50 }]),
  listComments: ({ bob, bobsPost, posts }) =>
    [bobsPost, ...posts.map(({ id }) => id)].map((id) => [bob, { id, limit: 50 }]),
  readComment: one("comments"),
  listOwnComments: own({ mine: 1, limit: 50 }),
  listCreatorComments: everyAccount((author) => ({ platform: "native", author, limit: 50 })),
  listCreatorReposts: everyAccount((author) => ({ platform: "native", author, limit: 50 })),
  analytics: own(),
  listProducts: ({ ada, bob }) => [
    [bob, { limit: 50 }],
    [ada, { mine: 1, limit: 50 }],
  ],
  listLives: asBob,
  me: own(),
  readCreator: creators,
  searchCreators: everyAccount((q) => ({ q })),
  suggestSearch: everyAccount((q) => ({ q })),
  suggestMentions: everyAccount((q) => ({ q })),
  listFollows: asBob,
  // Both are on the person's list.
  readList: ({ ada, listId }) => [[ada, { id: listId }]],
  // The agent mutes the person.
  listMutes: ({ callers }) => [[callers.bot, {}]],
  listBlocks: ({ carol }) => [[carol, {}]],
  listFriends: ({ carol }) => [[carol, {}]],
  listFriendRequests: asBob,
  listCommunities: ({ bob, community }) => [[bob, { q: community }]],
  readCommunity: ({ bob, community }) => [[bob, { name: community }]],
  listCommunityMembers: ({ ada, community }) => [[ada, { name: community }]],
  listNotifications: ({ ada, bob, callers }) => [ada, bob, callers.bot].map((caller) => [caller, {}]),
  listConversations: ({ ada, bob }) => [ada, bob].map((caller) => [caller, {}]),
  listMessages: ({ ada, bob, names }) => [
    [ada, { username: names.bot, limit: 50 }],
    [bob, { username: names.ada, limit: 50 }],
  ],
  listAgents: asAda,
  listActivity: asAda,
};

const because = (reason: string, ...names: OperationName[]) => names.map((name) => [name, reason] as const);

export const unmodelledReads: ReadonlyMap<string, string> = new Map([
  ...because(
    "another reader of the model compares each version's mark",
    "listPostVersions",
    "listCommentVersions",
  ),
  ...because("sends what listNotifications lists", "notificationStream"),
  ...because(
    "quotes what describeTargets does, which is a reader of the model, or keeps such a quote",
    ...(["listReports", "listDecisions", "readDecision", "listAppeals", "readAccount", "listCases"] as const),
    "listRepeatedPosts",
    ...(["listCommunityCases", "listCommunityDecisions"] as const),
  ),
  ...because("the same posts as listPosts, by the same query", "listSimilarPosts"),
  ...because(
    "what isn't published yet, for its author and the person responsible",
    "listDrafts",
    "readDraft",
  ),
  ...because("an agent's request as such", "readAgentRequest"),
  ...because(
    "hashes and names, with the mark that they prove",
    "readPostReceipt",
    "readCommentReceipt",
    "readReceipt",
  ),
  ...because("what other platforms say of their own comments: origin-comments", "listOriginComments"),
  ...because("words without context", "listTags"),
  ...because(
    "names that only the account that chose them sees",
    ...([
      "listLists",
      "listCollections",
      "readCollection",
      "listFollowedTags",
      "listFollowedCommunities",
      "listSavedSearches",
      "readSavedSearch",
    ] as const),
  ),
  ...because(
    "names of accounts, keys, apps and devices, and addresses, for their owner or moderators",
    ...([
      "readParkedSession",
      "listSessions",
      "listPasskeys",
      "listMissing",
      "listWebhooks",
      "listPushSubscriptions",
    ] as const),
    ...(["listKeys", "readKey", "readOwnKey", "readAuthorizationRequest", "listCommunityBans"] as const),
    ...(["listAllInvitations", "listSignUps", "listAccounts", "listDeniedLinks"] as const),
  ),
  ...because("sources and what was imported from them", "listSources", "readSource"),
  ...because("written by admins", "readSitePage"),
]);

interface TextSchema {
  "x-user-text"?: boolean;
  items?: TextSchema;
  anyOf?: TextSchema[];
  properties?: Record<string, TextSchema>;
}

const hasText = ({ "x-user-text": isText, items, anyOf = [], properties = {} }: TextSchema): boolean =>
  isText === true || [...(items ? [items] : []), ...anyOf, ...Object.values(properties)].some(hasText);

/** The operations that read what users wrote, from the contract, so that a new one can't be forgotten. */
export const textReads = operationList
  .filter(({ method, response }) => method === "GET" && hasText(response as TextSchema))
  .map(({ name }) => name);
