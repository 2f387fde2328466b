import { usernameLength } from "./username-length.ts";

/** One mebibyte. Sizes named `…Bytes` are in bytes. */
const MiB = 2 ** 20;

/**
 * Sizes and counts that the service enforces and its documents publish; for rates, see `tiers.ts`. Lengths are in Unicode
 * code points.
 */
export const limits = {
  username: usernameLength,
  password: { min: 8, max: 200 },
  email: 254,
  displayName: 50,
  /** A name from an identity provider; the display name is cut from it. */
  fullName: 200,
  bio: 500,
  profileLinks: 5,
  postTitle: 300,
  pollOptions: { min: 2, max: 10 },
  pollOption: 80,
  /** How long after it is published a poll closes. */
  pollTime: { minMinutes: 5, maxDays: 30 },
  postBody: 10_000,
  url: 2048,
  commentBody: 5000,
  /** Versions kept of a post or comment, beside the current one: the first, and the latest others. */
  versionsKept: 50,
  /** The same for imported posts, which their origins may change as often as they like. */
  importedVersionsKept: 10,
  keyName: 64,
  productTitle: 200,
  productPrice: 500,
  productCategory: 50,
  liveTitle: 200,
  /** A live stream counts as ended after its streaming server hasn't reported it for this long. */
  liveSilenceSeconds: 45,
  /** For how long a request for the playlist counts as a viewer. Players repeat it every few seconds. */
  liveViewerSeconds: 20,
  liveThumbnailSeconds: 15,
  communityName: { min: 3, max: 40 },
  /** Of a community on another platform. */
  importedCommunityName: 200,
  communityDescription: 500,
  communityRules: 5000,
  communitiesOwned: 20,
  communityPins: 3,
  communitiesPerAccount: 1000,
  /** The largest offset in the list of communities. */
  communitiesDepth: 1000,
  pinsPerCommunity: 3,
  query: 300,
  /** Distinct words in one search. */
  queryTerms: 10,
  /** The most posts or creators that one search examines, not counting those that a text index rules out. */
  searchDepth: 50_000,
  /** The newest posts among which similar ones are found. */
  similarDepth: 50_000,
  idempotencyKey: 255,
  /** A page that the operator writes, such as the rules. */
  sitePage: 50_000,
  productsPerPost: 20,
  /** Bounded because changing a product rewrites its card on every post that shows it. */
  postsPerProduct: 1000,
  followsPerAccount: 10_000,
  followedTags: 200,
  /** Joining follows more. */
  followedCommunities: 1000,
  messageBody: 5000,
  friendsPerAccount: 5000,
  pendingFriendRequestsPerAccount: 500,
  /** Days after a declined request before the same person can ask again. */
  friendRequestCooldownDays: 30,
  blocksPerAccount: 10_000,
  listsPerAccount: 100,
  listMembers: 500,
  collectionsPerAccount: 100,
  collectionPosts: 5000,
  searchesPerAccount: 100,
  /** New posts among which new matches of a saved search are looked for, not counting those that a text index rules out. */
  newMatchesDepth: 10_000,
  /** A name of a list, collection or saved search. */
  listName: 60,
  mutedAccounts: 1000,
  /** Muted words and tags. */
  mutedTexts: 200,
  /** A muted word, phrase or tag. */
  mutedText: 100,
  page: { default: 20, max: 50 },
  /** The largest offset of `sort=hot`; bounded because the cost of an offset grows with what it skips. */
  hotDepth: 10_000,
  /** Invalid fields that one error lists. */
  fieldErrors: 20,
  /** The page size of lists that take no `limit`. */
  longList: 1000,
  /** Visits kept per source. */
  visitsKept: 20,
  /** An OPML file, and the sources that one import adds. */
  opmlBytes: 2 * MiB,
  opmlSources: 1000,
  /** The export of another platform. */
  importBytes: 512 * MiB,
  /** The posts that one import adds: the latest ones. */
  importPosts: 5000,
  /** The items of each other part of an export that one import looks for. */
  importNames: 10_000,
  /** What an import lists of what isn't here. */
  importMissing: 5000,
  /** The imports that an account sees. */
  importsKept: 20,
  /** How many comments above one are shown with it. */
  ancestors: 50,
  /** A page of comments ends early when its texts exceed this size as JSON. */
  commentPageBytes: MiB,
  /** Comments of an imported post that are read from its origin. */
  originComments: 100,
  notifications: 50,
  /** What a notification quotes. */
  notificationExcerpt: 200,
  /** What a draft or an activity entry shows of a post without a title. */
  aboutExcerpt: 80,
  /** What a post shows of the text of the post that it quotes. */
  quoteExcerpt: 300,
  /** Open event streams per account and process. */
  streamsPerAccount: 10,
  /** The most missed events that a resumed stream sends; the latest ones. */
  streamCatchUp: 500,
  webhooksPerAccount: 10,
  /** How long a webhook's deliveries are stored. */
  deliveryDays: 7,
  /** How long a replaced secret still signs in addition to the new one. */
  webhookSecretHours: 24,
  /** Seconds in which a webhook's server must begin to respond. */
  webhookSeconds: 10,
  /** A webhook is disabled after all deliveries failed for this long. */
  webhookFailureHours: 24,
  /** Browsers that get an account's push notifications. */
  pushSubscriptionsPerAccount: 20,
  /** How long a push service stores messages for an offline browser (the TTL). */
  pushHours: 24,
  creatorHits: 20,
  /** Search suggestions of one kind. */
  suggestions: 5,
  topPosts: 10,
  agentsPerPerson: 5,
  keysPerAccount: 25,
  /** Agents' requests for an account that wait for a person, in all. */
  agentRequests: 1000,
  /** How long such a request waits. */
  agentRequestMinutes: 60,
  /** Seconds between two polls of its asker. */
  agentRequestSeconds: 5,
  /** How long after the approval the asker can get its key, and how long it is told that a request ended. */
  agentKeyHours: 24,
  draftsPerAccount: 100,
  /** Writes that a key is shown of itself. */
  recentActivity: 10,
  /** Accounts that one text can mention with effect. */
  mentions: 10,
  /** Suggested accounts or hashtags while someone types a mention or hashtag. */
  completions: 6,
  /** A hashtag that counts, without its `#`. */
  tag: 100,
  /** Hashtags of one text that count. */
  tagsPerText: 10,
  /** Uses of hashtags by one person that count at a time. */
  tagUsesPerPerson: 100,
  /** A hashtag is trending if this many people used it within this time. */
  trending: { people: 2, hours: 48 },
  trendingTags: 10,
  /** How far back an agent's writes can be undone, in minutes. */
  undoMinutes: { default: 60, max: 1440 },
  /** How many writes one call undoes. */
  undoneAtOnce: 200,
  jsonBytes: MiB,
  /** Levels of nested objects and arrays in a JSON body. */
  jsonDepth: 64,
  /** Fields of a JSON body, with those of nested objects. */
  jsonFields: 1000,
  imageBytes: 10 * MiB,
  videoBytes: 95 * MiB,
  thumbnailBytes: 10 * MiB,
  /** An image description. */
  alt: 1500,
  contentWarning: 200,
  picturesPerPost: 10,
  /** Fields and files per form. */
  formParts: 100,
  /** Bytes per text field of a form. */
  formTextBytes: 64 * 1024,
  /** Forms that a process receives at a time. */
  formsAtOnce: 100,
  /** Forms that it receives at a time from one person with all of their agents. */
  formsPerCallerAtOnce: 5,
  /** The least bytes per second of a form, on average since its first half minute. */
  formBytesPerSecond: 8 * 1024,
  /** Seconds until a form must have arrived. */
  formSeconds: 30 * 60,
  /** Forms that it processes at a time for one person with all of their agents. */
  formsPerCallerProcessed: 2,
  /** Pixels of the longer side. */
  pictureSide: 16_384,
  /** Enough for a phone's camera, and small enough that a decompression bomb can't exhaust the memory. */
  picturePixels: 2 ** 26,
  /** Bytes of a decoded picture: its pixels at 8 bits in four channels. With 16 bits, a picture can have fewer pixels. */
  pictureDecodedBytes: 2 ** 28,
  /** Pixels of the longer side: 8K. */
  videoSide: 8192,
  videoSeconds: 86_400,
  idempotencyHours: 24,
  sessionDays: 30,
  /** Beyond this, the least recently used session ends. */
  sessionsPerAccount: 100,
  /** Known devices and networks per account, which stay usable while others guess its password. */
  knownPlacesPerAccount: 100,
  /** How long after its last login such a device or network is forgotten. */
  knownPlaceDays: 365,
  /** Characters of the `User-Agent` stored with a session. */
  device: 200,
  /** How recent a proof of who you are (sign-in, password or passkey) has to be: for keys and agents, in hours. */
  provenHours: 2,
  /** The same for admin roles and, of an account without a password, for its security settings. */
  provenMinutes: 10,
  /** A key that has expired is deleted after this many days. */
  expiredKeyDays: 30,
  /** How long an app that someone authorized by OAuth can act, in days. Then it has to ask again. */
  appGrantDays: 90,
  /** How long an app's access token works. The app renews it with its refresh token. */
  accessTokenMinutes: 60,
  /** How long someone can take to answer an app's request, and a device's code works. */
  appRequestMinutes: 15,
  /** How often an app can have access to the same account, such as on several devices. One more ends the oldest. */
  grantsPerApp: 5,
  /** How long an app's code works, in seconds. */
  authorizationCodeSeconds: 60,
  /** Seconds between two polls of a device that waits for an answer. */
  devicePollSeconds: 5,
  /** The end of a signature by which an app identifies itself, at most this many minutes ahead. */
  appSignatureMinutes: 10,
  /** How long an app that registered is remembered if no one authorizes it, in hours. */
  unusedAppHours: 24,
  /** Bytes of an app's registration or description. */
  appBytes: 8192,
  /** The code of an invitation. */
  invitationCode: 64,
  invitationDays: { default: 7, max: 365 },
  /** How many people can sign up with an invitation, by who creates it. */
  invitationUses: { person: 5, admin: 1000 },
  /** Why someone wants to join. */
  signUpReason: 500,
  /** Sign-ups that wait for approval, in all. */
  signUpRequests: 1000,
  signUpRequestDays: 30,
  /** A solved proof-of-work challenge. */
  signUpProof: 2000,
  challengeMinutes: 15,
  confirmationHours: 48,
  resetMinutes: 60,
  recoveryCodes: 10,
  exportDays: 3,
  passkeysPerAccount: 25,
  passkeyName: 64,
  /** A reason by a moderator or a reporter. */
  moderationReason: 500,
  /** A longer text by a moderator or a reporter. */
  moderationText: 2000,
  /** Reasons shown per case. */
  reasonsShown: 5,
  /** Earlier decisions about an author that a case shows. */
  pastDecisions: 3,
  /** Cases resolved per call. */
  casesAtOnce: 50,
  daysOfNumbers: 366,
} as const;
