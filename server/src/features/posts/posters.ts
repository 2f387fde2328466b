import { join } from "node:path";
import type { House } from "../../http/house.ts";
import { MediaBusy } from "../../media/apart.ts";
import { inFolder } from "../../media/folder.ts";
import { keeping } from "../../media/keep.ts";
import {
  addFiles,
  belongsToPost,
  type Claimed,
  claimPreparing,
  fileOf,
  forgetAttempt,
  setReady,
} from "../../media/rows.ts";
import { drawPoster } from "../../media/video.ts";
import { type Db, Overloaded } from "../../storage/storage.ts";
import { marks, posterFacts } from "./post-media.ts";
import { readFacts, writeFacts } from "./posts.queries.ts";
import { lockJudged } from "./take-away.ts";

/** Milliseconds after which whoever has taken a video on counts as dead, and another may. */
const CLAIM = 120_000;
/** After so many failures a video has no poster; it can be played all the same. */
const ATTEMPTS = 3;

/** Draws a poster for each video that came without, until none waits. Several processes may do so at once. */
export async function drawPosters(house: House): Promise<void> {
  for (;;) {
    const now = house.now();
    const claimed = await house.storage.write((tx) => claimPreparing(tx, now, now - CLAIM));
    if (!claimed) return;
    await drawOne(house, claimed).catch(async (err) => {
      // That others are at work is no failure of this video's: whoever looks next tries again.
      if (err instanceof MediaBusy || err instanceof Overloaded)
        return house.storage.write((tx) => forgetAttempt(tx, claimed.id));
      // What was deleted meanwhile needs none.
      if (!(await belongsToPost(house.storage.read, claimed))) return;
      house.log.error({ err, post: claimed.postId }, "a poster could not be drawn");
      if (claimed.attempts >= ATTEMPTS) await house.storage.write((tx) => settle(tx, claimed, null));
    });
  }
}

async function drawOne(house: House, claimed: Claimed): Promise<void> {
  const { media, storage } = house;
  const { provenance } = await readFacts(storage.read, claimed.postId);
  const video = await fileOf(storage.read, claimed.id, "video");
  await keeping(house, (keeper) =>
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
  await lockJudged(tx, postId);
  await writeFacts(tx, postId, {
    ...(await readFacts(tx, postId)),
    ...posterFacts(poster),
    mediaState: "ready",
  });
  await setReady(tx, id);
}
