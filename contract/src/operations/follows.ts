import Type from "typebox";
import { fieldsOf } from "../fields.ts";
import { communityInput, FollowedCommunity, FollowedTag, tagInput } from "../follows.ts";
import { limits } from "../limits.ts";
import { operation, scope, signedIn } from "../operation.ts";

const area = "Creators and follows";
const access = scope("engagement:write");
const following = (example: boolean) => ({ following: Type.Boolean({ examples: [example] }) });

export const listFollowedTags = operation({
  name: "listFollowedTags",
  area,
  route: "GET /api/follows/tags",
  access: signedIn,
  query: { fields: fieldsOf(FollowedTag) },
  response: { tags: Type.Array(FollowedTag) },
  description: "List the hashtags that you follow, by name. Only you see them.",
});

export const followTag = operation({
  name: "followTag",
  area,
  route: "POST /api/follows/tags",
  access,
  body: tagInput,
  response: following(true),
  effect: "sets",
  description: `Follow a hashtag: posts with it are in the feed of those you follow. At most ${limits.followedTags} per account.`,
});

export const unfollowTag = operation({
  name: "unfollowTag",
  area,
  route: "DELETE /api/follows/tags",
  access,
  body: tagInput,
  response: following(false),
  effect: "sets",
  description: "Unfollow a hashtag.",
});

export const listFollowedCommunities = operation({
  name: "listFollowedCommunities",
  area,
  route: "GET /api/follows/communities",
  access: signedIn,
  query: { fields: fieldsOf(FollowedCommunity) },
  response: { communities: Type.Array(FollowedCommunity) },
  description: "List the communities that you follow, by name. Only you see them.",
});

export const followCommunity = operation({
  name: "followCommunity",
  area,
  route: "POST /api/follows/communities",
  access,
  body: communityInput,
  response: following(true),
  errors: ["not_found"],
  effect: "sets",
  description: `Follow a community on any platform: its posts are in the feed of those you follow. At most ${limits.followedCommunities} per account. Joining a community follows it, too.`,
});

export const unfollowCommunity = operation({
  name: "unfollowCommunity",
  area,
  route: "DELETE /api/follows/communities",
  access,
  body: communityInput,
  response: following(false),
  effect: "sets",
  description: "Unfollow a community. You stay a member of it.",
});
