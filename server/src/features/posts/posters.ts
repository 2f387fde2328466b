import { join } from "node:path";
import type { Services } from "../../http/services.ts";
import { inFolder } from "../../media/folder.ts";
import {
  addFiles,
  belongsToPost,
  type Claimed,
  claimPreparing,
  fileOf,
  forgetAttempt,
  setReady,
} from "../../media/rows.ts";
import { withUploads } from "../../media/upload.ts";
import { drawPoster } from "../../media/video.ts";
import { MediaBusy } from "../../media/worker-pool.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { lockForModeration } from "./moderation-removal.ts";
import { digitalSourceTypes, posterFacts } from "./post-media.ts";
import { readFacts, writeFacts } from "./posts.queries.ts";

/** Milliseconds after which another process may claim a video again: the one that claimed it has probably died. */
const LEASE = 120_000;
/** After this many failures a video stays without a poster. It can still be played. */
const MAX_ATTEMPTS = 3;

/** Draws posters for videos uploaded without one, until none is left. Several processes may do this concurrently. */
export async function drawPosters(services: Services): Promise<void> {
  for (;;) {
    const now = services.now();
    const claimed = await services.storage.write((tx) => claimPreparing(tx, now, now - LEASE));
    if (!claimed) return;
    await drawPosterOf(services, claimed).catch(async (err) => {
      // A busy service doesn't count as a failed attempt: the next run tries again.
      if (err instanceof MediaBusy || err instanceof Overloaded)
        return services.storage.write((tx) => forgetAttempt(tx, claimed.id));
      // The post was deleted in the meantime.
      if (!(await belongsToPost(services.storage.read, claimed))) return;
      services.log.error({ err, post: claimed.postId }, "drawing a video poster failed");
      if (claimed.attempts >= MAX_ATTEMPTS) await services.storage.write((tx) => finish(tx, claimed, null));
    });
  }
}

async function drawPosterOf(services: Services, claimed: Claimed): Promise<void> {
  const { media, storage } = services;
  const { provenance } = await readFacts(storage.read, claimed.postId);
  const video = await fileOf(storage.read, claimed.id, "video");
  await withUploads(services, (upload) =>
    inFolder(media.incoming, async (folder) => {
      const posterPath =
        video && (await media.store.withFile(video, (path) => drawPoster(path, join(folder, "poster.png"))));
      const poster = posterPath ? await upload.picture(posterPath, digitalSourceTypes[provenance]) : null;
      await storage.write(async (tx) => {
        if (poster) await addFiles(tx, claimed.id, upload.files);
        await finish(tx, claimed, poster);
      });
    }),
  );
}

/** Marks the video as ready, with or without a poster. */
async function finish(
  tx: Db,
  { id, postId }: Claimed,
  poster: Parameters<typeof posterFacts>[0],
): Promise<void> {
  // Moderators may have removed the post in the meantime. They may restore it, so finish anyway.
  await lockForModeration(tx, postId);
  await writeFacts(tx, postId, {
    ...(await readFacts(tx, postId)),
    ...posterFacts(poster),
    mediaState: "ready",
  });
  await setReady(tx, id);
}
