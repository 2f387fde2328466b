import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Media } from "../media/media.ts";
import type { Storage } from "../storage/storage.ts";
import type { Slots } from "./slots.ts";

/** What every request needs and no request owns. */
export interface House {
  readonly config: Config;
  readonly storage: Storage;
  readonly media: Media;
  readonly slots: Slots;
  readonly log: FastifyBaseLogger;
  /** Milliseconds since 1970. */
  now(): number;
  /** Where the world reaches the service, without a slash at the end. */
  baseUrl: string;
}
