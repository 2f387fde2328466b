/** One mebibyte; every size below is in bytes. */
const MiB = 2 ** 20;

/** Sizes and lengths that the service enforces and its documents publish. Lengths count Unicode code points. */
export const limits = {
  username: { min: 2, max: 40 },
  password: { min: 8, max: 200 },
  email: 254,
  displayName: 50,
  /** What a provider calls somebody; an account shows as much of it as a display name may have. */
  fullName: 200,
  bio: 500,
  postTitle: 300,
  postBody: 10_000,
  url: 2048,
  commentBody: 5000,
  keyName: 64,
  productTitle: 200,
  productPrice: 500,
  productCategory: 50,
  liveTitle: 200,
  /** A broadcast that its streaming server has said nothing of for so long is over. */
  liveSilenceSeconds: 45,
  query: 300,
  /** Different words of one search. */
  queryTerms: 10,
  /** So many posts, or creators, are looked at in one search at most, beside those that an index of words rules out. */
  searchDepth: 50_000,
  idempotencyKey: 255,
  productsPerPost: 20,
  /** A product that changes is rewritten on each post that shows it. */
  postsPerProduct: 1000,
  followsPerAccount: 10_000,
  messageBody: 5000,
  friendsPerAccount: 5000,
  /** Requests that wait for an answer. */
  friendRequestsPerAccount: 500,
  /** Who declined isn't asked again by the same person for so many days. */
  friendRequestRestDays: 30,
  blocksPerAccount: 10_000,
  page: { default: 20, max: 50 },
  /** How deep `sort=hot` can be paged: an offset costs what it skips. */
  hotDepth: 10_000,
  /** Lists that have no page size of their own send this many and then a cursor. */
  longList: 1000,
  /** A page of comments ends early once their texts are this long as JSON. */
  commentPageBytes: MiB,
  notifications: 50,
  /** Event streams of one account that a process keeps open. */
  streamsPerAccount: 10,
  /** Of what a stream missed, so many of the latest are told. */
  streamCatchUp: 500,
  webhooksPerAccount: 10,
  /** How long a webhook's deliveries are on record. */
  deliveryDays: 7,
  /** How long a secret that was replaced still signs beside the new one. */
  webhookSecretHours: 24,
  /** A webhook that took nothing for so long is disabled. */
  webhookFailureHours: 24,
  /** Browsers that an account's notifications are pushed to. */
  pushSubscriptionsPerAccount: 20,
  /** How long a push service keeps what a browser doesn't fetch. */
  pushHours: 24,
  creatorHits: 20,
  topPosts: 10,
  agentsPerHuman: 5,
  keysPerAccount: 25,
  draftsPerAccount: 100,
  /** Accounts that one text can name and have told. */
  mentions: 10,
  /** Minutes whose writes can be undone at once, and how many of these one call undoes. */
  undoMinutes: { default: 60, max: 1440 },
  undoneAtOnce: 200,
  jsonBytes: MiB,
  imageBytes: 10 * MiB,
  videoBytes: 95 * MiB,
  thumbnailBytes: 10 * MiB,
  /** What a picture shows, in words. */
  alt: 1500,
  /** Fields and files of one form, and the bytes of one text among them. */
  formParts: 100,
  formTextBytes: 64 * 1024,
  /** Forms that a process has at a time, of all and of one account; and of these, how many it is at work on. */
  formsAtOnce: 100,
  formsPerCallerAtOnce: 25,
  formsPerCallerWorkedOn: 2,
  /** Of the longer side. */
  pictureSide: 16_384,
  /** As many as a phone's camera has, so that a small file can't unfold into all of the memory. */
  picturePixels: 2 ** 26,
  /** Of the longer side: 8K. */
  videoSide: 8192,
  videoSeconds: 86_400,
  idempotencyHours: 24,
  sessionDays: 30,
  /** Beyond it, the session that was left alone the longest ends. */
  sessionsPerAccount: 100,
  /** Of what a browser says of itself so much is kept with its session. */
  device: 200,
  /** So long after it began, a session alone vouches for an account without a password. */
  freshMinutes: 15,
  confirmationHours: 48,
  resetMinutes: 60,
  recoveryCodes: 10,
  exportDays: 3,
  passkeysPerAccount: 25,
  passkeyName: 64,
  /** A moderator's reason, and a reporter's; and what either may write at length. */
  moderationReason: 500,
  moderationText: 2000,
  /** How many of a case's reasons are shown, and how many cases are settled at once. */
  reasonsShown: 5,
  casesAtOnce: 50,
  daysOfNumbers: 366,
} as const;
