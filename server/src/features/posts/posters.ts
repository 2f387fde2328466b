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
import { marks, posterFacts } from "./post-media.ts";
import { readFacts, writeFacts } from "./posts.queries.ts";

/** Milliseconds after which whoever has taken a video on counts as dead, and another may. */
const CLAIM = 120_000;
/** After so many failures a video has no poster; it can be played all the same. */
const ATTEMPTS = 3;

/** Draws a poster for each video that came without, until none waits. Several processes may do so at once. */
export async function drawPosters(services: Services): Promise<void> {
  for (;;) {
    const now = services.now();
    const claimed = await services.storage.write((tx) => claimPreparing(tx, now, now - CLAIM));
    if (!claimed) return;
    await drawOne(services, claimed).catch(async (err) => {
      // That others are at work is no failure of this video's: whoever looks next tries again.
      if (err instanceof MediaBusy || err instanceof Overloaded)
        return services.storage.write((tx) => forgetAttempt(tx, claimed.id));
      // What was deleted meanwhile needs none.
      if (!(await belongsToPost(services.storage.read, claimed))) return;
      services.log.error({ err, post: claimed.postId }, "a poster could not be drawn");
      if (claimed.attempts >= ATTEMPTS) await services.storage.write((tx) => settle(tx, claimed, null));
    });
  }
}

async function drawOne(services: Services, claimed: Claimed): Promise<void> {
  const { media, storage } = services;
  const { provenance } = await readFacts(storage.read, claimed.postId);
  const video = await fileOf(storage.read, claimed.id, "video");
  await withUploads(services, (keeper) =>
    inFolder(media.incoming, async (folder) => {
      const drawn =
        video && (await media.store.withFile(video, (path) => drawPoster(path, join(folder, "poster.png"))));
      const poster = drawn ? await keeper.picture(drawn, marks[provenance]) : null;
      await storage.write(async (tx) => {
        if (poster) await addFiles(tx, claimed.id, keeper.files);
        await settle(tx, claimed, poster);
      });
    }),
  );
}

/** The video is prepared, with a poster or without. */
async function settle(
  tx: Db,
  { id, postId }: Claimed,
  poster: Parameters<typeof posterFacts>[0],
): Promise<void> {
  // What was removed meanwhile may come back, and is prepared all the same.
  await lockForModeration(tx, postId);
  await writeFacts(tx, postId, {
    ...(await readFacts(tx, postId)),
    ...posterFacts(poster),
    mediaState: "ready",
  });
  await setReady(tx, id);
}
