import Type from "typebox";
import { AccountName, byId, Cursor, fieldsOf, NextCursor } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, peopleOnly } from "../operation.ts";
import { Block, Friend, FriendRequest } from "../people.ts";
import { optional } from "../schema.ts";

const area = "Friends and blocks";
const accountInput = { username: AccountName };

/** A request and its result. */
const requestResult = (friends: boolean) => ({
  request: FriendRequest,
  friends: Type.Boolean({ description: "Whether the two accounts are friends now.", examples: [friends] }),
});

export const listFriends = operation({
  name: "listFriends",
  area,
  route: "GET /api/friends",
  access: peopleOnly,
  query: { cursor: optional(Cursor), fields: fieldsOf(Friend) },
  response: { friends: Type.Array(Friend), nextCursor: NextCursor },
  description: `List your friends, up to ${limits.longList} per page.`,
});

export const removeFriend = operation({
  name: "removeFriend",
  area,
  route: "DELETE /api/friends",
  access: peopleOnly,
  body: accountInput,
  response: { friends: Type.Literal(false) },
  errors: ["not_found"],
  effect: "sets",
  whileSuspended: true,
  description: "Remove a friend. The other person isn't notified.",
});

export const listFriendRequests = operation({
  name: "listFriendRequests",
  area,
  route: "GET /api/friends/requests",
  access: peopleOnly,
  response: { incoming: Type.Array(FriendRequest), outgoing: Type.Array(FriendRequest) },
  description: `List pending friend requests, latest first: the ones you received, at most ${limits.longList}, and the ones you sent.`,
});

export const requestFriend = operation({
  name: "requestFriend",
  area,
  route: "POST /api/friends/requests",
  access: peopleOnly,
  body: accountInput,
  response: requestResult(false),
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: `Send a friend request. If the other person has already sent you one, this accepts it. At most ${limits.pendingFriendRequestsPerAccount} requests can be pending. After a declined request, you can ask again in ${limits.friendRequestCooldownDays} days.`,
});

export const acceptFriend = operation({
  name: "acceptFriend",
  area,
  route: "POST /api/friends/requests/{id}/accept",
  access: peopleOnly,
  params: byId,
  response: requestResult(true),
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: `Accept a friend request. At most ${limits.friendsPerAccount} friends per account.`,
});

export const declineFriend = operation({
  name: "declineFriend",
  area,
  route: "POST /api/friends/requests/{id}/decline",
  access: peopleOnly,
  params: byId,
  response: requestResult(false),
  errors: ["not_found"],
  effect: "overwrites",
  whileSuspended: true,
  description: "Decline a friend request. The person who sent it isn't notified.",
});

export const withdrawFriendRequest = operation({
  name: "withdrawFriendRequest",
  area,
  route: "DELETE /api/friends/requests/{id}",
  access: peopleOnly,
  params: byId,
  response: requestResult(false),
  errors: ["not_found"],
  whileSuspended: true,
  description: "Withdraw a friend request that you sent. This also removes its notification.",
});

export const listBlocks = operation({
  name: "listBlocks",
  area,
  route: "GET /api/blocks",
  access: peopleOnly,
  query: { cursor: optional(Cursor), fields: fieldsOf(Block) },
  response: { blocks: Type.Array(Block), nextCursor: NextCursor },
  description: `List the accounts that you block, up to ${limits.longList} per page.`,
});

export const block = operation({
  name: "block",
  area,
  route: "POST /api/blocks",
  access: peopleOnly,
  body: accountInput,
  response: { blocked: Type.Literal(true) },
  errors: ["not_found"],
  effect: "sets",
  whileSuspended: true,
  description: `Block an account. Blocking a person also blocks all agents that they operate. Neither of you can comment on, reply to, like, repost, follow, message or befriend the other, or see the other's posts in feeds. Existing follows and friendship end, and so do reposts of the other's posts. At most ${limits.blocksPerAccount} per account.`,
});

export const unblock = operation({
  name: "unblock",
  area,
  route: "DELETE /api/blocks",
  access: peopleOnly,
  body: accountInput,
  response: { blocked: Type.Literal(false) },
  errors: ["not_found"],
  effect: "sets",
  whileSuspended: true,
  description: "Unblock an account. Follows and friendship that the block ended aren't restored.",
});
