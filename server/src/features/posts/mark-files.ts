import type { Services } from "../../http/services.ts";
import { LeaseLostError, type QueueRow, release } from "../../jobs/queue.ts";
import { filesToMark, replaceFiles } from "../../media/rows.ts";
import { withUploads } from "../../media/upload.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";
import { logReplacedFiles } from "../transparency-log/append.ts";
import { moveVersionFile } from "../versions/keep-versions.ts";
import { lockForModeration } from "./moderation-removal.ts";
import type { posterQueue } from "./posters.ts";
import { readFacts, versionOf, writeFacts } from "./posts.queries.ts";
import { wantedMark } from "./request-marks.ts";

/**
 * Embeds the AI mark in the files of a post that a key or agent edited. They get new addresses, since files are served
 * as immutable. The uploader's original stays as it is: its content credentials are valid for these bytes only.
 */
export async function markFiles(
  services: Services,
  queue: typeof posterQueue,
  medium: QueueRow<"media">,
): Promise<void> {
  const { storage } = services;
  const postId = medium.post_id;
  if (postId === null) throw new LeaseLostError();
  const mark = wantedMark(await readFacts(storage.read, postId));
  const files = mark === null ? [] : await filesToMark(storage.read, medium.id, mark);
  await withUploads(services, async (uploads) => {
    const addresses = new Map<string, string>();
    for (const file of files) {
      const [from, to] = await uploads.withMark(file, mark);
      addresses.set(from, to);
    }
    await storage.write(async (tx) => {
      await lockForModeration(tx, postId);
      await replaceFiles(tx, medium.id, files, uploads.files);
      const facts = await readFacts(tx, postId);
      if (files.length > 0) {
        const moved = withAddresses(facts, addresses);
        await writeFacts(tx, postId, moved);
        for (const [from, to] of addresses) await moveVersionFile(tx, postId, from, to);
        await logReplacedFiles(
          tx,
          { id: postId, version: await versionOf(tx, postId), facts: moved },
          services.now(),
        );
      }
      // A post that was edited meanwhile is due again.
      await release(tx, queue, medium, { due_at: wantedMark(facts) === mark ? null : 0 });
    });
  });
}

function withAddresses(facts: PostFacts, addresses: ReadonlyMap<string, string>): PostFacts {
  const { mediaUrl, thumbnailUrl, pictures } = facts;
  const moved = <A extends string | null | undefined>(address: A) =>
    address ? (addresses.get(address) ?? address) : address;
  return {
    ...facts,
    mediaUrl: moved(mediaUrl),
    thumbnailUrl: moved(thumbnailUrl),
    ...(pictures && {
      pictures: pictures.map(({ thumbnailUrl: thumbnail, ...picture }) => ({
        ...picture,
        url: moved(picture.url),
        ...(thumbnail && { thumbnailUrl: moved(thumbnail) }),
      })),
    }),
  };
}
