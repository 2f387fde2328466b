import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

const streamsOf = prepared<{ post_id: number }, { user_id: number }>((db, { post_id }) =>
  db.selectFrom("lives").select("user_id").where("post_id", "=", post_id).limit(1).compile(),
);

/** Whether the comments of a post are the chat of a running stream. */
export async function isLiveChat(db: Db, postId: number): Promise<boolean> {
  return (await streamsOf(db, { post_id: postId })).length > 0;
}
