import type { OriginPlatform } from "@tandem/contract/origins";
import { bluesky } from "./bluesky.ts";
import type { Connector } from "./connector.ts";
import { hackernews } from "./hackernews.ts";
import { lemmy } from "./lemmy.ts";
import { mastodon } from "./mastodon.ts";
import { peertube } from "./peertube.ts";
import { piefed } from "./piefed.ts";
import { reddit } from "./reddit.ts";
import { rss } from "./rss.ts";
import { youtube } from "./youtube.ts";

/** One connector for each platform in the contract. */
export const connectors: Record<OriginPlatform, Connector> = {
  reddit,
  lemmy,
  piefed,
  mastodon,
  bluesky,
  hackernews,
  youtube,
  peertube,
  rss,
};
