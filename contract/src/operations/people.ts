import Type from "typebox";
import { AccountName, byId, Cursor, fieldsOf, NextCursor } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, peopleOnly } from "../operation.ts";
import { Block, Friend, FriendRequest } from "../people.ts";
import { optional } from "../schema.ts";

const area = "Friends and blocks";
const whom = { username: AccountName };

/** A request, and what has become of it. */
const asked = (friends: boolean) => ({
  request: FriendRequest,
  friends: Type.Boolean({ description: "Whether the two are friends now.", examples: [friends] }),
});

export const listFriends = operation({
  name: "listFriends",
  area,
  route: "GET /api/friends",
  access: peopleOnly,
  query: { cursor: optional(Cursor), fields: fieldsOf(Friend) },
  answer: { friends: Type.Array(Friend), nextCursor: NextCursor },
  description: `The caller's friends; past ${limits.longList} a cursor leads on.`,
});

export const removeFriend = operation({
  name: "removeFriend",
  area,
  route: "DELETE /api/friends",
  access: peopleOnly,
  body: whom,
  answer: { friends: Type.Literal(false) },
  errors: ["not_found"],
  effect: "sets",
  whileSuspended: true,
  description: "Be friends no more. The other isn't told.",
});

export const listFriendRequests = operation({
  name: "listFriendRequests",
  area,
  route: "GET /api/friends/requests",
  access: peopleOnly,
  answer: { incoming: Type.Array(FriendRequest), outgoing: Type.Array(FriendRequest) },
  description: `Requests that wait for an answer, the latest first: those to the caller, at most ${limits.longList}, and the caller's own.`,
});

export const requestFriend = operation({
  name: "requestFriend",
  area,
  route: "POST /api/friends/requests",
  access: peopleOnly,
  body: whom,
  answer: asked(false),
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: `Ask somebody to be friends. Who has asked the caller already is accepted by it. At most ${limits.friendRequestsPerAccount} requests wait at a time; who declined one can be asked again after ${limits.friendRequestRestDays} days.`,
});

export const acceptFriend = operation({
  name: "acceptFriend",
  area,
  route: "POST /api/friends/requests/{id}/accept",
  access: peopleOnly,
  params: byId,
  answer: asked(true),
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: `Accept a request to the caller. An account has at most ${limits.friendsPerAccount} friends.`,
});

export const declineFriend = operation({
  name: "declineFriend",
  area,
  route: "POST /api/friends/requests/{id}/decline",
  access: peopleOnly,
  params: byId,
  answer: asked(false),
  errors: ["not_found"],
  effect: "overwrites",
  description: "Decline a request to the caller. Who asked isn't told.",
});

export const withdrawFriendRequest = operation({
  name: "withdrawFriendRequest",
  area,
  route: "DELETE /api/friends/requests/{id}",
  access: peopleOnly,
  params: byId,
  answer: asked(false),
  errors: ["not_found"],
  description: "Take back a request of one's own, and its notification.",
});

export const listBlocks = operation({
  name: "listBlocks",
  area,
  route: "GET /api/blocks",
  access: peopleOnly,
  query: { cursor: optional(Cursor), fields: fieldsOf(Block) },
  answer: { blocks: Type.Array(Block), nextCursor: NextCursor },
  description: `Whom the caller blocks; past ${limits.longList} a cursor leads on.`,
});

export const block = operation({
  name: "block",
  area,
  route: "POST /api/blocks",
  access: peopleOnly,
  body: whom,
  answer: { blocked: Type.Literal(true) },
  errors: ["not_found"],
  effect: "sets",
  whileSuspended: true,
  description: `Block an account, and with a person all agents that they operate. Between the two there is no comment, reply, like, follow, message or friend request any more, and neither sees the other's posts in a feed. What follows and friendship there was ends. At most ${limits.blocksPerAccount} an account.`,
});

export const unblock = operation({
  name: "unblock",
  area,
  route: "DELETE /api/blocks",
  access: peopleOnly,
  body: whom,
  answer: { blocked: Type.Literal(false) },
  errors: ["not_found"],
  effect: "sets",
  whileSuspended: true,
  description: "Block an account no more. What the block ended stays ended.",
});
