import type { FoundMedia } from "../clean/item.ts";

/** One entry of a feed, whatever its format; nothing is judged yet, but its texts are plain. */
export interface Entry {
  id: string | null;
  link: string | null;
  title: string;
  body: string;
  author: string | null;
  avatar: string | null;
  /** What it says of its times, that of its publication first. */
  times: (string | undefined)[];
  /** Pictures and videos, the one that matters most first. */
  media: FoundMedia[];
  thumbnail: string | null;
  /** How often it was liked, where the feed says so. */
  likes: number | null;
  /** What its addresses are relative to. */
  base: string;
}

export interface Feed {
  title: string;
  /** The page that it is the feed of. */
  link: string | null;
  entries: Entry[];
  /** Seconds for which it says that nothing will be new. */
  fresh: number | null;
}
