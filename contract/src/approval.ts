/**
 * What happens to each write that keys can make, if the key's owner requires approval ("ask me first"). All that
 * others can see the account do waits as a draft: `held` are changes of text and media, `engagement` has none. `drafts` wait if they
 * would publish or schedule one. The others happen immediately: they are `private` to the account, or `counted` without its name.
 */
export const approvalOf = {
  createPost: "held",
  editPost: "held",
  deletePost: "held",
  attachProduct: "held",
  createComment: "held",
  editComment: "held",
  deleteComment: "held",
  editProfile: "held",
  setAvatar: "held",
  setBanner: "held",
  deleteBanner: "held",
  checkProfileLinks: "private",
  createProduct: "held",
  editProduct: "held",
  deleteProduct: "held",
  likePost: "engagement",
  unlikePost: "engagement",
  repostPost: "engagement",
  unrepostPost: "engagement",
  vote: "engagement",
  unvote: "engagement",
  likeComment: "engagement",
  unlikeComment: "engagement",
  follow: "engagement",
  unfollow: "engagement",
  joinCommunity: "engagement",
  leaveCommunity: "engagement",
  viewPost: "counted",
  savePost: "private",
  unsavePost: "private",
  dismissPost: "private",
  createList: "private",
  renameList: "private",
  deleteList: "private",
  addToList: "private",
  removeFromList: "private",
  createCollection: "private",
  renameCollection: "private",
  deleteCollection: "private",
  addToCollection: "private",
  removeFromCollection: "private",
  followTag: "private",
  unfollowTag: "private",
  followCommunity: "private",
  unfollowCommunity: "private",
  createSavedSearch: "private",
  editSavedSearch: "private",
  deleteSavedSearch: "private",
  mute: "private",
  unmute: "private",
  markNotificationsRead: "private",
  createDraft: "drafts",
  editDraft: "drafts",
  deleteDraft: "private",
  publishDraft: "drafts",
  createWebhook: "private",
  editWebhook: "private",
  deleteWebhook: "private",
  rotateWebhookSecret: "private",
  testWebhook: "private",
  retryDelivery: "private",
} as const;

type Approval = (typeof approvalOf)[keyof typeof approvalOf];

type Of<Table extends Record<string, string>, Kind extends string> = {
  [Name in keyof Table]: Table[Name] extends Kind ? Name : never;
}[keyof Table];

/** The operations whose calls become drafts if the key's owner requires approval. */
export type ApprovableOperation = Of<typeof approvalOf, "held" | "engagement">;

export function isApprovable(name: string): name is ApprovableOperation {
  return approval(name) === "held" || isEngagement(name);
}

/** Whether a call can wait that changes no text or media, such as a like. */
export function isEngagement(name: string): boolean {
  return approval(name) === "engagement";
}

/** Whether a call can wait for approval: its response is then a 202. */
export function canWait(name: string): boolean {
  return isApprovable(name) || approval(name) === "drafts";
}

function approval(name: string): Approval | null {
  return Object.hasOwn(approvalOf, name) ? approvalOf[name as keyof typeof approvalOf] : null;
}

export const approvableOperations = Object.keys(approvalOf).filter(isApprovable);
