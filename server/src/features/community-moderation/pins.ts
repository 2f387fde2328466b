import type { CommunityOperation } from "@tandem/contract/community-names";
import { notFound } from "../../http/api-error.ts";
import type { Call, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { recordAct } from "../communities/audit.ts";
import { assertPermitted, findCommunity, lockFor } from "../communities/communities.queries.ts";
import { pinInCommunity, unpinInCommunity } from "../communities/pins.queries.ts";
import { lockPost } from "../posts/posts.queries.ts";

export const communityPins = {
  pinCommunityPost: (ctx, input) =>
    ctx.write(async (tx) => {
      const communityId = await lockPostIn(ctx, tx, "pinCommunityPost", input);
      if (await pinInCommunity(tx, communityId, input.id, ctx.now))
        await recordPin(ctx, tx, "pinCommunityPost", input);
      return { pinned: true };
    }),
  unpinCommunityPost: (ctx, input) =>
    ctx.write(async (tx) => {
      const communityId = await lockPostIn(ctx, tx, "unpinCommunityPost", input);
      if (await unpinInCommunity(tx, communityId, input.id))
        await recordPin(ctx, tx, "unpinCommunityPost", input);
      return { pinned: false };
    }),
} satisfies Handlers<"pinCommunityPost" | "unpinCommunityPost">;

interface PostInCommunity {
  name: string;
  id: number;
}

/** Returns the community's id. Throws `not_found` if the post isn't in it. */
async function lockPostIn(
  call: Call,
  tx: Db,
  operation: CommunityOperation,
  { name, id }: PostInCommunity,
): Promise<number> {
  // First, so that callers without permission lock nothing.
  assertPermitted(operation, await findCommunity(tx, name, call));
  const post = await lockPost(tx, id);
  const community = await lockFor(tx, operation, name, call);
  if (post.community !== community.name) throw notFound("post");
  return community.id;
}

function recordPin(call: Call, tx: Db, operation: CommunityOperation, { name, id }: PostInCommunity) {
  return recordAct(call, tx, { operation, name, target: `post:${id}`, detail: {} });
}
