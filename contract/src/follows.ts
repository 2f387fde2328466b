import Type, { type Static } from "typebox";
import { limits } from "./limits.ts";
import { platformNames } from "./origins.ts";
import { userText } from "./resources.ts";
import { filledPrivateText, oneOf, publicLine } from "./schema.ts";

/** Visible only to the account that follows. */
export const FollowedTag = Type.Object(
  { name: userText("Weaving") },
  { $id: "FollowedTag", description: "A hashtag that you follow, without its `#`, as you spelled it." },
);
export type FollowedTag = Static<typeof FollowedTag>;

/** Visible only to the account that follows. */
export const FollowedCommunity = Type.Object(
  { platform: oneOf(platformNames), community: userText("weaving") },
  { $id: "FollowedCommunity", description: "A community that you follow." },
);
export type FollowedCommunity = Static<typeof FollowedCommunity>;

/** A hashtag, by name. */
export const tagInput = {
  tag: filledPrivateText(limits.tag + 1, {
    description: "A hashtag, with or without its `#`. Case and accents are ignored.",
    examples: ["Weaving"],
  }),
};

/** A community, by name. */
export const communityInput = {
  platform: oneOf(platformNames, {
    description: "`native`, or the platform that the community's posts are imported from.",
    examples: ["native"],
  }),
  community: publicLine(limits.importedCommunityName, {
    description: "The community's name, as posts have it; case is ignored.",
    examples: ["weaving"],
  }),
};
