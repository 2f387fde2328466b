import { join } from "node:path";
import { digitalSourceTypes } from "@tandem/contract/digital-source-types";
import { HOUR, MINUTE } from "@tandem/contract/durations";
import { sql } from "kysely";
import type { SignedIn } from "../../http/context.ts";
import type { Services } from "../../http/services.ts";
import { LeaseLostError, type QueueRow, release } from "../../jobs/queue.ts";
import { retried, type Work, workOff } from "../../jobs/work-queue.ts";
import { inFolder } from "../../media/folder.ts";
import { addFiles, fileOf } from "../../media/rows.ts";
import { withUploads } from "../../media/upload.ts";
import { drawPoster } from "../../media/video.ts";
import type { Db } from "../../storage/storage.ts";
import { markFiles } from "./mark-files.ts";
import { lockForModeration } from "./moderation-removal.ts";
import { posterFacts } from "./post-media.ts";
import { readFacts, writeFacts } from "./posts.queries.ts";
import { wantedMark } from "./request-marks.ts";

/** What is left to do for a post's files: a poster for a video that came without one, and AI marks. */
export const posterQueue: Work<"media"> = retried<"media">({
  kind: "posters",
  table: "media",
  key: "id",
  where: sql<boolean>`post_id is not null`,
  lease: 2 * MINUTE,
  atOnce: 1,
  maxAttempts: 3,
  waitsWhenBusy: true,
  pauseAfter: () => 2 * MINUTE,
  run: (services, medium) =>
    medium.state === "preparing" ? drawPosterOf(services, medium) : markFiles(services, posterQueue, medium),
  // Without a poster, the video can still be played. A mark isn't given up, or else the files would never get one.
  giveUp: (tx, { now }, medium) =>
    medium.state === "preparing"
      ? settle(tx, medium, null)
      : release(tx, posterQueue, medium, { due_at: now() + HOUR, attempts: 0 }),
  log: ({ log }, { post_id }, err) =>
    log.error({ err, post: post_id }, "a post's files could not be prepared"),
});

/** Draws posters and marks files that are due. */
export function drawPosters(services: Services, signal?: AbortSignal): Promise<void> {
  return workOff(services, posterQueue, signal);
}

/** Starts them after the response of a call that may have made posts AI content. */
export function markFilesLater({ services }: Pick<SignedIn, "services">): void {
  services.afterResponse.run("posters", () => drawPosters(services));
}

async function drawPosterOf(services: Services, medium: QueueRow<"media">): Promise<void> {
  const { media, storage } = services;
  const { provenance } = await readFacts(storage.read, postOf(medium));
  const video = await fileOf(storage.read, medium.id, "video");
  await withUploads(services, (uploads) =>
    inFolder(media.incoming, async (folder) => {
      const frame =
        video && (await media.store.withFile(video, (path) => drawPoster(path, join(folder, "poster.png"))));
      const poster = frame ? await uploads.picture(frame, digitalSourceTypes[provenance]) : null;
      await storage.write(async (tx) => {
        if (poster) await addFiles(tx, medium.id, uploads.files);
        await settle(tx, medium, poster);
      });
    }),
  );
}

function postOf({ post_id }: QueueRow<"media">): number {
  // The post was deleted meanwhile.
  if (post_id === null) throw new LeaseLostError();
  return post_id;
}

/** The video is ready, with a poster or without. */
async function settle(
  tx: Db,
  medium: QueueRow<"media">,
  poster: Parameters<typeof posterFacts>[0],
): Promise<void> {
  const postId = postOf(medium);
  // Includes removed posts: an admin may restore them.
  await lockForModeration(tx, postId);
  const facts = { ...(await readFacts(tx, postId)), mediaState: "ready" as const };
  await writeFacts(tx, postId, { ...facts, ...posterFacts(poster) });
  // A key may have edited the post meanwhile: then its files are due to be marked.
  const mayLackMark = wantedMark(facts) !== null;
  await release(tx, posterQueue, medium, { state: "ready", due_at: mayLackMark ? 0 : null });
}
