import { DAY } from "@tandem/contract/durations";
import { isWrite, takesForm } from "@tandem/contract/operation";
import { type OperationName, operationList, operations } from "@tandem/contract/operations";
import { type Scope, scopeNames } from "@tandem/contract/scopes";
import type { Caller } from "@tandem/testing/callers";
import { makeCommunities } from "@tandem/testing/communities";
import { type Fixtures, inputsFor, makeFixtures, type TestUser } from "@tandem/testing/inputs";
import { makeDecision, noModerationFixtures } from "@tandem/testing/moderation-fixtures";
import { plantAuthorizationRequest } from "@tandem/testing/planted-authorization";
import { makeSocialFixtures } from "@tandem/testing/social-fixtures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { makeWebhook } from "@tandem/testing/webhook-fixtures";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "./key-format.ts";

/** Who may call what. Written by hand, to test the contract instead of trusting it. */
type Rule = "anyone" | "signed in" | "session" | "person" | "admin" | "key" | Scope;

const rules: Record<OperationName, Rule> = {
  me: "signed in",
  signUp: "anyone",
  logIn: "anyone",
  logOut: "session",
  readRegistration: "anyone",
  createInvitation: "person",
  listInvitations: "person",
  revokeInvitation: "person",
  listAllInvitations: "admin",
  listSignUps: "admin",
  approveSignUp: "admin",
  refuseSignUp: "admin",
  readParkedSession: "anyone",
  listProviders: "anyone",
  beginSignIn: "anyone",
  signInWithGoogle: "anyone",
  signInWithApple: "anyone",
  editProfile: "profile:write",
  checkProfileLinks: "profile:write",
  setAvatar: "profile:write",
  setBanner: "profile:write",
  deleteBanner: "profile:write",
  readPreferences: "signed in",
  editPreferences: "session",
  readChecklist: "person",
  closeChecklist: "person",
  endDigest: "anyone",
  listPosts: "anyone",
  listSimilarPosts: "anyone",
  createPost: "posts:write",
  readPost: "anyone",
  readPostReceipt: "anyone",
  readCommentReceipt: "anyone",
  readReceipt: "anyone",
  listStory: "anyone",
  editPost: "posts:write",
  listPostVersions: "anyone",
  clearPostVersions: "session",
  deletePost: "posts:write",
  attachProduct: "products:write",
  listComments: "anyone",
  listOriginComments: "anyone",
  readComment: "anyone",
  listOwnComments: "signed in",
  createComment: "comments:write",
  editComment: "comments:write",
  listCommentVersions: "anyone",
  clearCommentVersions: "session",
  deleteComment: "comments:write",
  likeComment: "engagement:write",
  unlikeComment: "engagement:write",
  likePost: "engagement:write",
  unlikePost: "engagement:write",
  repostPost: "engagement:write",
  unrepostPost: "engagement:write",
  vote: "engagement:write",
  unvote: "engagement:write",
  listCreatorReposts: "anyone",
  pinPost: "session",
  unpinPost: "session",
  listQuotes: "anyone",
  detachQuote: "session",
  savePost: "engagement:write",
  unsavePost: "engagement:write",
  viewPost: "engagement:write",
  dismissPost: "engagement:write",
  listCommunities: "anyone",
  createCommunity: "person",
  readCommunity: "anyone",
  editCommunity: "person",
  setCommunityPicture: "person",
  deleteCommunityPicture: "person",
  closeCommunity: "person",
  joinCommunity: "engagement:write",
  leaveCommunity: "engagement:write",
  listCommunityMembers: "person",
  setCommunityRole: "person",
  approveCommunityAgent: "person",
  withdrawAgentApproval: "person",
  removeCommunityPost: "person",
  restoreCommunityPost: "person",
  removeCommunityComment: "person",
  restoreCommunityComment: "person",
  listCommunityDecisions: "person",
  pinCommunityPost: "person",
  unpinCommunityPost: "person",
  listCommunityBans: "person",
  banFromCommunity: "person",
  liftCommunityBan: "person",
  listCommunityCases: "person",
  resolveCommunityReports: "person",
  searchCreators: "anyone",
  suggestSearch: "anyone",
  listCreatorComments: "anyone",
  listTags: "anyone",
  suggestMentions: "signed in",
  listFollows: "signed in",
  follow: "engagement:write",
  unfollow: "engagement:write",
  listFollowedTags: "signed in",
  followTag: "engagement:write",
  unfollowTag: "engagement:write",
  listFollowedCommunities: "signed in",
  followCommunity: "engagement:write",
  unfollowCommunity: "engagement:write",
  listSavedSearches: "engagement:write",
  readSavedSearch: "engagement:write",
  createSavedSearch: "engagement:write",
  editSavedSearch: "engagement:write",
  deleteSavedSearch: "engagement:write",
  listLists: "engagement:write",
  readList: "engagement:write",
  createList: "engagement:write",
  renameList: "engagement:write",
  deleteList: "engagement:write",
  addToList: "engagement:write",
  removeFromList: "engagement:write",
  listCollections: "engagement:write",
  readCollection: "engagement:write",
  createCollection: "engagement:write",
  renameCollection: "engagement:write",
  deleteCollection: "engagement:write",
  addToCollection: "engagement:write",
  removeFromCollection: "engagement:write",
  listMutes: "engagement:write",
  mute: "engagement:write",
  unmute: "engagement:write",
  analytics: "signed in",
  listNotifications: "signed in",
  countNotifications: "signed in",
  markNotificationsRead: "signed in",
  listConversations: "session",
  listMessages: "session",
  sendMessage: "session",
  markConversationRead: "session",
  listFriends: "person",
  removeFriend: "person",
  listFriendRequests: "person",
  requestFriend: "person",
  acceptFriend: "person",
  declineFriend: "person",
  withdrawFriendRequest: "person",
  listBlocks: "person",
  block: "person",
  unblock: "person",
  notificationStream: "signed in",
  notificationPreferences: "signed in",
  chooseNotifications: "session",
  listWebhooks: "profile:write",
  createWebhook: "profile:write",
  editWebhook: "profile:write",
  deleteWebhook: "profile:write",
  rotateWebhookSecret: "profile:write",
  testWebhook: "profile:write",
  listDeliveries: "profile:write",
  retryDelivery: "profile:write",
  listPushSubscriptions: "person",
  subscribeToPush: "person",
  endPushSubscription: "person",
  testPush: "person",
  listProducts: "anyone",
  createProduct: "products:write",
  editProduct: "products:write",
  deleteProduct: "products:write",
  openProduct: "anyone",
  listLives: "anyone",
  readCreator: "anyone",
  listSources: "admin",
  readSource: "admin",
  addSource: "admin",
  importSources: "admin",
  editSource: "admin",
  removeSource: "admin",
  pollSource: "admin",
  startLive: "session",
  endLive: "session",
  listKeys: "person",
  mintKey: "person",
  revokeKey: "person",
  readAuthorizationRequest: "person",
  approveAuthorizationRequest: "person",
  denyAuthorizationRequest: "person",
  readOwnKey: "key",
  readKey: "person",
  listAgents: "person",
  requestAgent: "anyone",
  claimAgent: "anyone",
  readAgentRequest: "person",
  approveAgentRequest: "person",
  declineAgentRequest: "person",
  createAgent: "person",
  deleteAgent: "person",
  openAgentSession: "person",
  editKey: "person",
  editAgent: "person",
  pauseAll: "person",
  listActivity: "person",
  undoAgent: "person",
  listDrafts: "posts:write",
  readDraft: "posts:write",
  createDraft: "posts:write",
  editDraft: "posts:write",
  deleteDraft: "posts:write",
  publishDraft: "posts:write",
  approveDraft: "person",
  readSecurity: "person",
  endAccess: "person",
  reauthenticate: "person",
  listSessions: "session",
  endSession: "session",
  changePassword: "person",
  forgotPassword: "anyone",
  resetPassword: "anyone",
  changeEmail: "person",
  sendConfirmation: "person",
  confirmEmail: "anyone",
  beginTwoFactor: "person",
  confirmTwoFactor: "person",
  endTwoFactor: "person",
  listPasskeys: "person",
  beginPasskey: "person",
  addPasskey: "person",
  renamePasskey: "person",
  removePasskey: "person",
  beginPasskeySignIn: "anyone",
  signInWithPasskey: "anyone",
  readExport: "person",
  startExport: "person",
  startImport: "person",
  listImports: "person",
  listMissing: "person",
  undoImport: "person",
  deleteAccount: "person",
  createReport: "person",
  listReports: "person",
  listDecisions: "session",
  readDecision: "session",
  createAppeal: "person",
  listCases: "admin",
  listRepeatedPosts: "admin",
  resolveReports: "admin",
  removePost: "admin",
  removePostVersions: "admin",
  removeCommentVersions: "admin",
  restorePost: "admin",
  removeComment: "admin",
  restoreComment: "admin",
  listAppeals: "admin",
  answerAppeal: "admin",
  listAccounts: "admin",
  readAccount: "admin",
  setRole: "admin",
  removeProfilePicture: "admin",
  suspendAccount: "admin",
  liftSuspension: "admin",
  setKeyTier: "admin",
  listDeniedLinks: "admin",
  denyLink: "admin",
  allowLink: "admin",
  listSitePages: "anyone",
  readSitePage: "anyone",
  saveSitePage: "admin",
  removeSitePage: "admin",
  listAudit: "admin",
  readSettings: "admin",
  readNumbers: "admin",
  readTransparency: "anyone",
};

/** Statuses for a person who names what someone else owns; everything else is open to everyone. */
const notOnesOwn: Partial<Record<OperationName, string>> = {
  createPost: "404 not_found",
  editPost: "403 forbidden",
  deletePost: "403 forbidden",
  attachProduct: "404 not_found",
  editComment: "403 forbidden",
  deleteComment: "403 forbidden",
  pinPost: "403 forbidden",
  unpinPost: "403 forbidden",
  detachQuote: "403 forbidden",
  clearPostVersions: "403 forbidden",
  clearCommentVersions: "403 forbidden",
  editProduct: "404 not_found",
  deleteProduct: "404 not_found",
  mintKey: "404 not_found",
  revokeKey: "404 not_found",
  deleteAgent: "404 not_found",
  openAgentSession: "404 not_found",
  readKey: "404 not_found",
  editKey: "404 not_found",
  editAgent: "404 not_found",
  listActivity: "404 not_found",
  undoAgent: "404 not_found",
  readList: "404 not_found",
  renameList: "404 not_found",
  deleteList: "404 not_found",
  addToList: "404 not_found",
  removeFromList: "404 not_found",
  readSavedSearch: "404 not_found",
  editSavedSearch: "404 not_found",
  deleteSavedSearch: "404 not_found",
  readCollection: "404 not_found",
  renameCollection: "404 not_found",
  deleteCollection: "404 not_found",
  addToCollection: "404 not_found",
  removeFromCollection: "404 not_found",
  readDraft: "404 not_found",
  editDraft: "404 not_found",
  deleteDraft: "404 not_found",
  publishDraft: "404 not_found",
  approveDraft: "404 not_found",
  revokeInvitation: "404 not_found",
  acceptFriend: "404 not_found",
  declineFriend: "404 not_found",
  withdrawFriendRequest: "404 not_found",
  editWebhook: "404 not_found",
  deleteWebhook: "404 not_found",
  rotateWebhookSecret: "404 not_found",
  testWebhook: "404 not_found",
  listDeliveries: "404 not_found",
  retryDelivery: "404 not_found",
  endPushSubscription: "404 not_found",
  testPush: "404 not_found",
  readDecision: "404 not_found",
  createAppeal: "404 not_found",
  editCommunity: "403 forbidden",
  setCommunityPicture: "403 forbidden",
  deleteCommunityPicture: "403 forbidden",
  closeCommunity: "403 forbidden",
  listCommunityMembers: "403 forbidden",
  setCommunityRole: "403 forbidden",
  approveCommunityAgent: "403 forbidden",
  withdrawAgentApproval: "403 forbidden",
  removeCommunityPost: "403 forbidden",
  restoreCommunityPost: "403 forbidden",
  removeCommunityComment: "403 forbidden",
  restoreCommunityComment: "403 forbidden",
  listCommunityDecisions: "403 forbidden",
  pinCommunityPost: "403 forbidden",
  unpinCommunityPost: "403 forbidden",
  listCommunityBans: "403 forbidden",
  banFromCommunity: "403 forbidden",
  liftCommunityBan: "403 forbidden",
  listCommunityCases: "403 forbidden",
  resolveCommunityReports: "403 forbidden",
};

/** Another scope than the first does, too; what the call is about may need a certain one. */
const ofAnyScope: readonly string[] = ["listDrafts"];

/** About a webhook that a person set up: keys and agents don't manage it. */
const ofPersonsWebhook: readonly string[] = [
  "editWebhook",
  "deleteWebhook",
  "rotateWebhookSecret",
  "testWebhook",
  "listDeliveries",
  "retryDelivery",
];

/** Responses to allowed calls, if not 200. No identity provider is configured here. */
const welcomes: Partial<Record<OperationName, string>> = {
  readSitePage: "404 not_found",
  openProduct: "302",
  signInWithGoogle: "404 not_found",
  signInWithApple: "404 not_found",
  confirmEmail: "400 invalid_token",
  endDigest: "400 invalid_token",
  resetPassword: "400 invalid_token",
  confirmTwoFactor: "404 not_found",
  addPasskey: "400 invalid_input",
  listMissing: "404 not_found",
  undoImport: "404 not_found",
  renamePasskey: "404 not_found",
  removePasskey: "404 not_found",
  signInWithPasskey: "401 unauthorized",
  claimAgent: "404 not_found",
  readAgentRequest: "404 not_found",
  approveAgentRequest: "404 not_found",
  declineAgentRequest: "404 not_found",
};

/** Operations whose input in these tests has a field that needs another scope. */
const needingAnotherScope: OperationName[] = ["createPost"];

const unauthorized = "401 unauthorized";
type Verdicts = Record<"none" | "badBearer" | "poorKey" | "goodKey" | "agentSession" | "person", string>;

function verdicts(name: OperationName): Verdicts {
  const yes = welcomes[name] ?? "200";
  const open = { none: yes, poorKey: yes, goodKey: yes, agentSession: yes, person: yes };
  const closed = { ...open, none: unauthorized, badBearer: unauthorized };
  const sessionRequired = { poorKey: "403 session_required", goodKey: "403 session_required" };
  switch (rules[name]) {
    case "anyone":
      return { ...open, badBearer: unauthorized };
    case "signed in":
      return closed;
    case "session":
      return { ...closed, ...sessionRequired };
    case "person":
      return { ...closed, ...sessionRequired, agentSession: "403 agent_forbidden" };
    case "admin":
      return {
        ...closed,
        ...sessionRequired,
        agentSession: "403 agent_forbidden",
        person: "403 forbidden",
      };
    case "key":
      return { ...closed, agentSession: "403 forbidden", person: "403 forbidden" };
    default:
      return {
        ...closed,
        poorKey: "403 insufficient_scope",
        ...(ofPersonsWebhook.includes(name) && { goodKey: "404 not_found", agentSession: "404 not_found" }),
      };
  }
}

test("every operation has a rule", () => {
  expect(Object.keys(rules).sort()).toEqual(operationList.map(({ name }) => name).sort());
});

describe("access", () => {
  let now = Date.now() - 31 * DAY;
  let tandem: Tandem;
  let cast: Awaited<ReturnType<typeof makeCast>>;
  beforeAll(async () => {
    const env = {
      LIMIT_THROTTLES_LOGIN_PER_ACCOUNT_AND_ADDRESS_LIMIT: "1000",
      // A new account may invite people.
      LIMIT_HOLDING_STANDING_DAYS: "0",
    };
    tandem = await startTandem("sqlite", { env, now: () => now });
    const sleeper = await tandem.as.human();
    now += 31 * DAY;
    cast = await makeCast(tandem, sleeper);
  });
  afterAll(() => tandem.stop());

  const names = Object.keys(operations) as OperationName[];
  test.each(names)("%s", async (name) => {
    const rule = rules[name];
    const scope = scopeNames.find((one) => one === rule) ?? null;
    const { none, badBearer, poorKey, goodKey, agentSession, person } = verdicts(name);
    const expected = {
      nobody: [cast.nobody, none],
      "an expired session": [cast.sleeper, none],
      "no Bearer": [cast.malformed, badBearer],
      "an unknown key": [cast.unknown, badBearer],
      "an unknown key with a good cookie": [cast.unknownWithCookie, badBearer],
      "a revoked key": [cast.revoked, badBearer],
      "a key without scopes": [cast.reader, poorKey],
      "a key with every scope but this": [
        scope ? cast.allBut[scope] : cast.reader,
        ofAnyScope.includes(name) ? goodKey : poorKey,
      ],
      "a key with this scope alone": [
        scope ? cast.only[scope] : cast.everything,
        needingAnotherScope.includes(name) ? poorKey : goodKey,
      ],
      "a key with every scope": [cast.everything, goodKey],
      "a person": [cast.household.person, person],
      "an agent's session": [cast.agentSession, agentSession],
      "an agent's key": [cast.household.agent, goodKey],
      "someone else": [cast.stranger, person === "200" ? (notOnesOwn[name] ?? "200") : person],
      "someone else's key": [cast.strangersKey, goodKey === "200" ? (notOnesOwn[name] ?? "200") : goodKey],
    } as const satisfies Record<string, readonly [Caller, string]>;
    const responses: [string, string][] = [];
    const entries = Object.entries(expected);
    // Five of these callers are one person's, who may upload only so much at once. An upload counts until its files are removed,
    // which may be after its response.
    const atOnce = takesForm(operations[name]) ? 1 : entries.length;
    for (let first = 0; first < entries.length; first += atOnce)
      responses.push(
        ...(await Promise.all(
          entries.slice(first, first + atOnce).map(async ([who, [caller]]): Promise<[string, string]> => {
            const own =
              caller === cast.agentSession || caller === cast.household.agent ? cast.agents : cast.owns;
            return [who, await verdict(caller, name, inputsFor(own, cast.household)[name])];
          }),
        )),
      );
    expect(Object.fromEntries(responses)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([who, [, verdict]]) => [who, verdict])),
    );
  });

  test("rejects a malformed or unknown Bearer token", async () => {
    const key = newKey();
    const wrong = ["Bearer", "Bearer a b", "Digest a", key, `Bearer ${key}0`, `Bearer ${key.slice(0, -1)}`];
    for (const authorization of [...wrong, `Bearer tandem_live_${"0".repeat(39)}`, "Bearer ü", ""]) {
      const response = await verdict(tandem.as.with({ authorization }), "listPosts", {});
      expect([authorization, response]).toEqual([authorization, unauthorized]);
    }
  });

  test("ignores HTTP Basic credentials, which don't exempt from CSRF protection", async () => {
    const { cookie = "" } = cast.household.person.options.headers ?? {};
    const proxied = { authorization: "Basic YTpi", cookie };
    expect(await verdict(tandem.as.with({ authorization: "Basic YTpi" }), "listPosts", {})).toBe("200");
    expect((await tandem.as.with(proxied).me()).user.username).toBe(cast.household.person.user.username);
    const foreign = tandem.as.with({ ...proxied, origin: "https://elsewhere.example" });
    expect(await verdict(foreign, "markNotificationsRead", {})).toBe("403 cross_origin");
  });

  test("a key takes precedence over another account's cookie", async () => {
    const { cookie = "" } = cast.stranger.options.headers ?? {};
    const { user } = await tandem.as.with({ ...bearer(cast.household.agent), cookie }).me();
    expect(user.username).toBe(cast.household.agent.agent.username);
  });

  test("an operator can edit their agent's posts only in the agent's session", async () => {
    const edit = { id: cast.agents.postId, title: "Mine?" };
    expect(await verdict(cast.household.person, "editPost", edit)).toBe("403 forbidden");
    expect(await verdict(cast.agentSession, "editPost", edit)).toBe("200");
  });

  test("someone else's product can't be attached to the caller's post", async () => {
    const { postId: id } = await makeFixtures(cast.stranger);
    const attach = { id, productId: cast.owns.productId };
    expect(await verdict(cast.stranger, "attachProduct", attach)).toBe("404 not_found");
  });

  test("operations on the caller's account require a caller", async () => {
    for (const [name, flag] of [
      ["listPosts", { saved: 1 }],
      ["listPosts", { followed: 1 }],
      ["listProducts", { mine: 1 }],
    ] as const) {
      expect(await verdict(cast.nobody, name, flag)).toBe(unauthorized);
      expect(await verdict(cast.sleeper, name, flag)).toBe(unauthorized);
      expect(await verdict(cast.reader, name, flag)).toBe("200");
      expect(await verdict(cast.nobody, name, { [Object.keys(flag).join()]: 0 })).toBe("200");
    }
  });
});

async function makeCast(tandem: Tandem, sleeper: Caller) {
  const { as } = tandem;
  const [person, stranger] = await Promise.all([as.human(), as.human()]);
  const agent = await as.agent(person);
  const agentSession = await as.agentSession(person, agent.agent.id);
  const [spare, revoked, reader, everything] = await Promise.all([
    as.key([], person),
    as.key(scopeNames, person),
    as.key([], person),
    as.key(scopeNames, person),
  ]);
  await person.revokeKey({ id: revoked.keyId });
  const perScope = async (scopesFor: (scope: Scope) => Scope[]) =>
    Object.fromEntries(
      await Promise.all(scopeNames.map(async (scope) => [scope, await as.key(scopesFor(scope), person)])),
    ) as Record<Scope, Caller>;
  const unknown = { authorization: `Bearer ${newKey()}` };
  const company = await makeSocialFixtures(tandem, person, agent);
  const webhook = await makeWebhook(tandem.storage, person);
  const matters = {
    ...noModerationFixtures,
    other: (await as.human()).user,
    decisionId: await makeDecision(tandem.storage, agent.agent.id),
  };
  const household: TestUser = {
    person,
    agent,
    keyId: spare.keyId,
    invitationId: (await person.createInvitation({})).invitation.id,
    authorizationRequest: await plantAuthorizationRequest(tandem.storage),
    social: company,
    webhook,
    communities: await makeCommunities(tandem, person, agent),
    moderation: matters,
  };
  const [owns, agents]: Fixtures[] = await Promise.all([makeFixtures(person), makeFixtures(agent)]);
  return {
    household,
    owns: owns as Fixtures,
    agents: agents as Fixtures,
    stranger,
    strangersKey: await as.key(scopeNames, stranger),
    sleeper,
    agentSession,
    revoked,
    reader,
    everything,
    only: await perScope((scope) => [scope]),
    allBut: await perScope((scope) => scopeNames.filter((one) => one !== scope)),
    nobody: as.anonymous(),
    malformed: as.with({ authorization: "Bearer tandem_live_short" }),
    unknown: as.with(unknown),
    unknownWithCookie: as.with({ ...unknown, ...person.options.headers }),
  };
}

/** Status and code of the response. Writes are dry runs, so that the next caller finds the same data. */
async function verdict(caller: Caller, name: OperationName, input: object): Promise<string> {
  const { status, body } = await caller.call(name, input, { dryRun: isWrite(operations[name]) });
  return typeof body.code === "string" ? `${status} ${body.code}` : String(status);
}

function bearer({ options }: Caller): Record<string, string> {
  return { authorization: `Bearer ${options.key}` };
}
