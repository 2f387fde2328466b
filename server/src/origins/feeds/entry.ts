import type { FoundAudio, FoundMedia } from "../clean/item.ts";
import type { HubLinks } from "./hub.ts";

/** A feed entry in a common format. Texts are plain; nothing is validated yet. */
export interface Entry {
  id: string | null;
  link: string | null;
  title: string;
  body: string;
  author: string | null;
  avatar: string | null;
  /** Its times as the feed writes them, the time of publication first. */
  times: (string | undefined)[];
  /** Pictures and videos, the most important first. */
  media: FoundMedia[];
  audio: FoundAudio | null;
  thumbnail: string | null;
  /** The number of likes, if the feed has it. */
  likes: number | null;
  /** The number of comments, and the page with them, if the feed has them. */
  commentCount: number | null;
  thread: string | null;
  /** How much AI was involved, if the feed says so, as Tandem's do. */
  provenance: string | null;
  /** Whether the feed marks it as for adults. */
  sensitive: boolean;
  /** The base URL for relative URLs. */
  base: string;
}

export interface Feed {
  title: string;
  /** The page that the feed belongs to. */
  link: string | null;
  /** The show's picture, for podcasts whose episodes have none. */
  cover: string | null;
  /** The newest, in the feed's order. */
  entries: Entry[];
  /** How many older entries the feed has. */
  omitted: number;
  /** Seconds until the next update, as declared by the feed. */
  secondsUntilUpdate: number | null;
  hubLinks?: HubLinks;
}
