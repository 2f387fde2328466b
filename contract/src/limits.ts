/** One mebibyte; every size below is in bytes. */
const MiB = 2 ** 20;

/** Sizes and lengths that the service enforces and its documents publish. Lengths count Unicode code points. */
export const limits = {
  username: { min: 2, max: 40 },
  password: { min: 8, max: 200 },
  email: 254,
  displayName: 50,
  bio: 500,
  postTitle: 300,
  postBody: 10_000,
  url: 2048,
  commentBody: 5000,
  keyName: 64,
  productTitle: 200,
  productPrice: 100,
  productCategory: 50,
  liveTitle: 200,
  query: 300,
  idempotencyKey: 255,
  productsPerPost: 20,
  page: { default: 20, max: 50 },
  /** How deep `sort=hot` can be paged: an offset costs what it skips. */
  hotDepth: 10_000,
  /** Lists that have no page size of their own send this many and then a cursor. */
  longList: 1000,
  notifications: 50,
  creatorHits: 20,
  topPosts: 10,
  agentsPerHuman: 5,
  keysPerAccount: 25,
  jsonBytes: MiB,
  imageBytes: 10 * MiB,
  videoBytes: 95 * MiB,
  idempotencyHours: 24,
  sessionDays: 30,
} as const;
