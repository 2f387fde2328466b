import type { Sent } from "@tandem/client/client";
import type { Client } from "@tandem/client/create-client";
import { DAY } from "@tandem/contract/durations";
import type { OperationName, Operations } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import { accountInputs } from "./account-inputs.ts";
import { makeAdminWithSource, plantSignUp } from "./admins.ts";
import { noAgentRequest, type PlantedRequest, plantAgentRequest } from "./agent-requests.ts";
import { siteOf } from "./authenticator.ts";
import { type AgentCaller, type Person, uniqueName } from "./callers.ts";
import { type CommunityFixtures, communityInputs, makeCommunities, noCommunities } from "./communities.ts";
import {
  type ModerationFixtures,
  makeModerationFixtures,
  noModerationFixtures,
} from "./moderation-fixtures.ts";
import { plantAuthorizationRequest } from "./planted-authorization.ts";
import { makeSocialFixtures, noSocialFixtures, type SocialFixtures } from "./social-fixtures.ts";
import type { Tandem } from "./tandem.ts";
import { makeWebhook, pushSubscriptionOf, type WebhookFixtures } from "./webhook-fixtures.ts";

/** Content of an account that operations can work on. */
export interface Fixtures {
  postId: number;
  /** A post with a poll. */
  pollId: number;
  commentId: number;
  productId: number;
  draftId: number;
  listId: number;
  collectionId: number;
  searchId: number;
}

/** A person with an agent and a spare key. */
export interface TestUser {
  person: Person;
  agent: AgentCaller;
  keyId: number;
  /** An existing source, if the person is an admin. */
  sourceId?: number;
  /** People with a relationship to the person. */
  social?: SocialFixtures;
  /** An existing webhook with a failed delivery, and a push subscription. */
  webhook?: WebhookFixtures;
  /** The service's time in milliseconds since 1970. Default: now. */
  now?: number;
  /** The service's public address, if it differs from the one that the person calls. */
  baseUrl?: string;
  /** An invitation of the person. */
  invitationId?: number;
  /** A sign-up that waits for approval. */
  signUpId?: number;
  /** A request of an app for access. */
  authorizationRequest?: string;
  /** An agent's request that waits for a decision. */
  agentRequest?: PlantedRequest;
  /** A community of the person, which the member and the agent joined, and another one. */
  communities?: CommunityFixtures;
  /** Moderation cases and decisions, if the person is an admin. */
  moderation?: ModerationFixtures;
}

/**
 * Creates a post, a comment on it, a product, a draft, a collection, a saved search, a list with a creator, and a post with a poll, and follows a hashtag and a community.
 *
 * @param now the service's time
 * @param rest lets time pass, for callers that may write ten times a minute
 */
export async function makeFixtures(
  caller: Client,
  now = Date.now(),
  rest: () => void = () => {},
): Promise<Fixtures> {
  const { post } = await caller.createPost({ title: "A note on the engine" });
  const [{ comment }, { draft }, { list }, { collection }, { search }] = await Promise.all([
    caller.createComment({ id: post.id, body: "Well said." }),
    caller.createDraft({ title: "On looms" }),
    caller.createList({ name: "Weavers" }),
    caller.createCollection({ name: "To weave" }),
    caller.createSavedSearch({ name: "Engines on video", q: "engine", media: "video" }),
  ]);
  // By itself: recorded examples show the latest activity, which has this and what follows in one order.
  const { product } = await caller.createProduct({
    title: "A fine teapot",
    url: "https://example.org/teapot",
  });
  rest();
  await caller.followTag({ tag: "Looms" });
  await caller.followCommunity({ platform: "lemmy", community: "looms" });
  await caller.addToList({ id: list.id, platform: "reddit", author: "ada_l" });
  const closesAt = new Date(now + DAY).toISOString();
  const poll = await caller.createPost({
    title: "Which loom?",
    poll: { options: ["Jacquard", "Dobby"], closesAt },
  });
  return {
    postId: post.id,
    pollId: poll.post.id,
    commentId: comment.id,
    productId: product.id,
    draftId: draft.id,
    listId: list.id,
    collectionId: collection.id,
    searchId: search.id,
  };
}

/** A PNG of one pixel. */
export const pixel = new Blob([
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
]);

/** An OPML file. */
export const feedList = new Blob([
  '<opml version="2.0"><body><outline type="rss" text="Looms" xmlUrl="https://looms.example/feed.xml"/></body></opml>',
]);

/** Those of some fields that an operation takes. */
export function takenBy(
  name: OperationName,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { path, query, body, files } = routes[name];
  const takes = (field: string) =>
    path.includes(`{${field}}`) || [...query, ...body].includes(field) || field in files;
  return Object.fromEntries(Object.entries(fields).filter(([field]) => takes(field)));
}

/** Operations after which their caller can't call again. */
export const endsCaller: ReadonlySet<string> = new Set(["logOut", "deleteAccount", "openAgentSession"]);

export type Inputs = { [N in OperationName]: Sent<Operations[N]> };

/** Creates an admin with an agent, a key and all fixtures, and a valid input for each operation. */
export async function makeFullUser(tandem: Tandem): Promise<TestUser & { inputs: Inputs }> {
  const { as } = tandem;
  const person = await as.human();
  const agent = await as.agent(person);
  const user = { person, agent, keyId: agent.keyId, ...(await addFixtures(tandem, person, agent)) };
  return { ...user, inputs: inputsFor(await makeFixtures(person, tandem.services.now()), user) };
}

type FullUser = Awaited<ReturnType<typeof makeFullUser>>;

/**
 * Reuses one full user for many calls, because creating one is slow. If a call fails, perhaps because earlier calls used something
 * up, it is repeated once with a new user.
 */
export class ReusableUser {
  readonly #tandem: Tandem;
  #latest: FullUser | null = null;

  constructor(tandem: Tandem) {
    this.#tandem = tandem;
  }

  async attempt<T>(attempt: (user: FullUser) => Promise<T>, served: (response: T) => boolean): Promise<T> {
    const response = this.#latest && (await attempt(this.#latest));
    if (response !== null && served(response)) return response;
    this.#latest = await makeFullUser(this.#tandem);
    return attempt(this.#latest);
  }
}

/** Makes a person an admin and adds all fixtures for them and their agent. */
export async function addFixtures(
  tandem: Tandem,
  person: Person,
  agent: AgentCaller,
): Promise<
  Required<
    Pick<
      TestUser,
      | "sourceId"
      | "invitationId"
      | "signUpId"
      | "authorizationRequest"
      | "agentRequest"
      | "social"
      | "webhook"
      | "moderation"
      | "communities"
      | "now"
    >
  >
> {
  const sourceId = await makeAdminWithSource(tandem.storage, person);
  const { invitation } = await person.createInvitation({});
  return {
    sourceId,
    invitationId: invitation.id,
    signUpId: await plantSignUp(tandem.storage),
    authorizationRequest: await plantAuthorizationRequest(tandem.storage),
    agentRequest: await plantAgentRequest(tandem.storage, { now: tandem.services.now() }),
    moderation: await makeModerationFixtures(tandem, person, agent),
    communities: await makeCommunities(tandem, person, agent),
    social: await makeSocialFixtures(tandem, person, agent),
    webhook: await makeWebhook(tandem.storage, person, { agent }),
    now: tandem.services.now(),
  };
}

/** A valid input for each operation; a missing one is a type error. */
export function inputsFor(own: Fixtures, user: TestUser): Inputs {
  const { invitationId = 1, signUpId = 1, authorizationRequest = "none-planted" } = user;
  const { agentRequest = noAgentRequest } = user;
  const { person, agent, keyId, sourceId = 1, social: company = noSocialFixtures, webhook } = user;
  const {
    now = Date.now(),
    baseUrl = person.options.baseUrl,
    moderation: matters = noModerationFixtures,
  } = user;
  const { postId, commentId, productId, draftId, listId, collectionId, searchId, pollId } = own;
  const { communities = noCommunities } = user;
  const { writer, friend, blocked } = company;
  const id = { id: postId };
  const hook = { id: webhook?.id ?? 1 };
  const name = uniqueName("newcomer");
  return {
    me: {},
    signUp: { username: name, email: `${name}@example.org`, password: "correct horse" },
    logIn: { username: person.user.username, password: person.password },
    logOut: {},
    readRegistration: {},
    createInvitation: { uses: 3, days: 14 },
    listInvitations: {},
    revokeInvitation: { id: invitationId },
    listAllInvitations: { limit: 5 },
    listSignUps: { limit: 5 },
    approveSignUp: { id: signUpId },
    refuseSignUp: { id: signUpId, reason: "Advertising" },
    readParkedSession: {},
    listProviders: {},
    beginSignIn: {},
    signInWithGoogle: { idToken: "a.b.c" },
    signInWithApple: { idToken: "a.b.c", fullName: "Ada Lovelace" },
    setAvatar: { image: pixel },
    setBanner: { image: pixel },
    deleteBanner: {},
    editProfile: { displayName: "Ada", bio: "Writes about engines.", links: ["https://ada.example/"] },
    checkProfileLinks: {},
    readPreferences: {},
    editPreferences: { aiPosts: "show", aiComments: "dim", aiNotifications: "dim" },
    readChecklist: {},
    closeChecklist: {},
    listSimilarPosts: { q: "engine", limit: 5 },
    listPosts: { limit: 5, q: "engine", provenance: "human,ai_assisted" },
    createPost: {
      title: "On looms",
      body: "They weave.",
      url: "https://example.org/looms",
      productIds: [productId],
      provenance: "ai_assisted",
    },
    readPost: id,
    readPostReceipt: id,
    readCommentReceipt: { id: commentId },
    readReceipt: { kind: "product", name: String(productId) },
    listStory: id,
    editPost: { ...id, title: "A better note", body: null, url: "https://example.org/better" },
    listPostVersions: id,
    clearPostVersions: id,
    deletePost: id,
    attachProduct: { ...id, productId },
    listComments: id,
    listOriginComments: id,
    readComment: { id: commentId },
    listOwnComments: { mine: 1, limit: 5 },
    createComment: { ...id, body: "So it is.", parentId: commentId },
    editComment: { id: commentId, body: "Very well said." },
    listCommentVersions: { id: commentId },
    clearCommentVersions: { id: commentId },
    deleteComment: { id: commentId },
    likeComment: { id: commentId },
    unlikeComment: { id: commentId },
    likePost: id,
    unlikePost: id,
    repostPost: id,
    unrepostPost: id,
    vote: { id: pollId, choices: [0] },
    unvote: { id: pollId },
    listCreatorReposts: { platform: "native", author: person.user.username },
    pinPost: id,
    unpinPost: id,
    listQuotes: id,
    detachQuote: { ...id, quotingId: postId },
    savePost: id,
    unsavePost: id,
    viewPost: id,
    dismissPost: id,
    ...communityInputs(communities, agent.agent.username),
    setCommunityPicture: { name: communities.own, image: pixel },
    searchCreators: { q: "person" },
    suggestSearch: { q: "person" },
    readCreator: { platform: "native", author: writer },
    listCreatorComments: { platform: "native", author: person.user.username },
    listTags: { q: "per" },
    suggestMentions: { q: "person" },
    listFollows: {},
    listFollowedTags: {},
    followTag: { tag: "Weaving" },
    unfollowTag: { tag: "weaving" },
    listFollowedCommunities: {},
    followCommunity: { platform: "lemmy", community: "weaving" },
    unfollowCommunity: { platform: "lemmy", community: "weaving" },
    follow: { platform: "reddit", author: "ada_l" },
    unfollow: { platform: "reddit", author: "ada_l" },
    listLists: {},
    readList: { id: listId },
    createList: { name: "Weavers" },
    renameList: { id: listId, name: "Spinners" },
    deleteList: { id: listId },
    addToList: { id: listId, platform: "reddit", author: "ada_l" },
    removeFromList: { id: listId, platform: "reddit", author: "ada_l" },
    listSavedSearches: {},
    readSavedSearch: { id: searchId },
    createSavedSearch: { name: "Engines on video", q: "engine", media: "video" },
    editSavedSearch: { id: searchId, name: "Engines that move", seen: true },
    deleteSavedSearch: { id: searchId },
    listCollections: { postId },
    readCollection: { id: collectionId },
    createCollection: { name: "To weave" },
    renameCollection: { id: collectionId, name: "To spin" },
    deleteCollection: { id: collectionId },
    addToCollection: { id: collectionId, postId },
    removeFromCollection: { id: collectionId, postId },
    listMutes: {},
    mute: { platform: "reddit", author: "ada_l" },
    unmute: { platform: "reddit", author: "ada_l" },
    analytics: {},
    listNotifications: {},
    countNotifications: {},
    markNotificationsRead: {},
    listConversations: {},
    listMessages: { username: writer },
    sendMessage: { username: writer, body: "Shall we compare notes?" },
    markConversationRead: { username: writer },
    listFriends: {},
    removeFriend: { username: friend },
    listFriendRequests: {},
    requestFriend: { username: writer },
    acceptFriend: { id: company.incoming },
    declineFriend: { id: company.incoming },
    withdrawFriendRequest: { id: company.outgoing },
    listBlocks: {},
    block: { username: writer },
    unblock: { username: blocked },
    notificationStream: { lastEventId: 0 },
    notificationPreferences: {},
    chooseNotifications: { people: ["comment", "reply"], agents: [] },
    listWebhooks: {},
    createWebhook: { url: "https://example.org/hook", types: ["comment"] },
    editWebhook: { ...hook, url: "https://example.org/other", types: null, enabled: true },
    deleteWebhook: hook,
    rotateWebhookSecret: hook,
    testWebhook: hook,
    listDeliveries: { ...hook, limit: 5 },
    retryDelivery: { ...hook, deliveryId: webhook?.deliveryId ?? 1 },
    listPushSubscriptions: {},
    subscribeToPush: pushSubscriptionOf(person.user.username),
    endPushSubscription: { id: webhook?.browserId ?? 1 },
    testPush: { id: webhook?.browserId ?? 1 },
    listProducts: { limit: 5 },
    createProduct: { title: "A loom", url: "https://example.org/loom", price: "9.90", category: "tools" },
    editProduct: { id: productId, title: "A finer teapot", imageUrl: null, price: 12 },
    deleteProduct: { id: productId },
    openProduct: { id: productId, post: postId },
    listLives: {},
    startLive: { title: "Weaving now" },
    endLive: {},
    listSources: {},
    readSource: { id: sourceId },
    // No request is needed to tell what this is.
    addSource: { url: "https://news.ycombinator.com/newest" },
    importSources: { file: feedList },
    editSource: { id: sourceId, enabled: false },
    removeSource: { id: sourceId },
    pollSource: { id: sourceId },
    listKeys: {},
    mintKey: { name: "Loom", scopes: ["posts:write"], agentId: agent.agent.id },
    revokeKey: { id: keyId },
    readAuthorizationRequest: { request: authorizationRequest },
    approveAuthorizationRequest: { request: authorizationRequest, scopes: "posts:write", agentId: null },
    denyAuthorizationRequest: { request: authorizationRequest },
    readOwnKey: {},
    readKey: { id: keyId },
    listAgents: {},
    requestAgent: { username: uniqueName("asker"), bio: "Sums up the day.", scopes: "posts:write" },
    claimAgent: { token: agentRequest.token },
    readAgentRequest: { code: agentRequest.code },
    approveAgentRequest: { code: agentRequest.code, username: uniqueName("approved") },
    declineAgentRequest: { code: agentRequest.code },
    createAgent: { username: uniqueName("helper"), displayName: "Helper", bio: null, scopes: "posts:write" },
    deleteAgent: { id: agent.agent.id },
    openAgentSession: { id: agent.agent.id },
    editKey: { id: keyId, name: "Night loom", caps: { posts: 2 } },
    editAgent: { id: agent.agent.id, paused: false },
    pauseAll: { paused: false },
    listActivity: { agentId: agent.agent.id, limit: 2 },
    undoAgent: { id: agent.agent.id, minutes: 60 },
    listDrafts: { limit: 2 },
    readDraft: { id: draftId },
    createDraft: { title: "On looms", body: "They weave.", publishAt: "2100-01-31T12:00:00.000Z" },
    editDraft: { id: draftId, title: "On better looms", url: null },
    deleteDraft: { id: draftId },
    publishDraft: { id: draftId },
    approveDraft: { id: draftId },
    ...accountInputs(person, now, siteOf(baseUrl)),
    ...moderation(own, matters, agent.agent.id, keyId),
  };
}

function moderation(own: Fixtures, matters: ModerationFixtures, agentId: number, keyId: number) {
  const { other, decisionId, appealedId, caseId } = matters;
  const reason = "Advertising";
  return {
    createReport: { username: other.username, reason, note: "Every day." },
    listReports: {},
    listDecisions: { limit: 5 },
    readDecision: { id: decisionId },
    createAppeal: { decisionId, text: "It was no advertisement." },
    listCases: { state: "open" },
    listRepeatedPosts: { limit: 5 },
    resolveReports: { ids: [caseId], action: "suspend", reason, until: "2100-01-31T12:00:00.000Z" },
    removePost: { id: own.postId, reason },
    removePostVersions: { id: own.postId },
    removeCommentVersions: { id: own.commentId },
    restorePost: { id: matters.removedPostId },
    removeComment: { id: own.commentId, reason },
    restoreComment: { id: matters.removedCommentId },
    listAppeals: {},
    answerAppeal: { id: appealedId, accept: false, answer: "It sold something." },
    listAccounts: { q: "a" },
    readAccount: { id: agentId },
    setRole: { id: other.id, role: "admin" },
    removeProfilePicture: { id: other.id, picture: "banner", reason },
    suspendAccount: { id: other.id, reason, until: "2100-01-31T12:00:00.000Z" },
    liftSuspension: { id: other.id },
    setKeyTier: { id: keyId, tier: "probation" },
    listDeniedLinks: {},
    denyLink: { host: "junk.example", reason: "Sells nothing else." },
    allowLink: { host: matters.deniedHost },
    listSitePages: {},
    readSitePage: { name: "rules" },
    saveSitePage: { name: "rules", body: "Be kind." },
    removeSitePage: { name: "rules" },
    listAudit: { limit: 5 },
    readSettings: {},
    readNumbers: { days: 2 },
    readTransparency: { days: 2 },
  } satisfies Partial<Inputs>;
}
