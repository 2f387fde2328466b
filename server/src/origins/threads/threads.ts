import type { ThreadPlatform } from "@tandem/contract/origins";
import { type Ask, OriginError } from "../connector.ts";
import { readBluesky } from "./bluesky.ts";
import { readLemmy, readPieFed } from "./community-server.ts";
import { readHackerNews } from "./hackernews.ts";
import { readMastodon } from "./mastodon.ts";
import { readPeerTube } from "./peertube.ts";
import { readReddit } from "./reddit.ts";
import type { ReadThread, ThreadComment } from "./thread.ts";

const readers: Record<ThreadPlatform, ReadThread> = {
  reddit: readReddit,
  hackernews: readHackerNews,
  lemmy: readLemmy,
  piefed: readPieFed,
  mastodon: readMastodon,
  bluesky: readBluesky,
  peertube: readPeerTube,
};

/** Reads the comments on a post from its page at its origin. Throws {@link OriginError} and `OutgoingError`. */
export async function readThread(platform: ThreadPlatform, url: string, ask: Ask): Promise<ThreadComment[]> {
  const comments = await readers[platform](new URL(url), ask);
  if (comments === null) throw new OriginError("Comments can't be read from this page.");
  return comments;
}
