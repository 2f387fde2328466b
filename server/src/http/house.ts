import type { FastifyBaseLogger } from "fastify";
import type { Registry } from "prom-client";
import type { Config } from "../config.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Media } from "../media/media.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { Db, Storage } from "../storage/storage.ts";
import type { EventStreams } from "./event-stream.ts";
import type { Held } from "./held.ts";
import type { Slots } from "./slots.ts";

/** What every request needs and no request owns. */
export interface House {
  readonly config: Config;
  readonly storage: Storage;
  readonly media: Media;
  readonly mailer: Mailer;
  readonly slots: Slots;
  /** Callers who listen. */
  readonly streams: EventStreams;
  /** How the service asks others for anything. */
  readonly outgoing: Outgoing;
  readonly log: FastifyBaseLogger;
  /** Where this process registers what it counts. */
  readonly metrics: Registry;
  /** Revokes those of these keys that are live, and tells their owners. */
  revokeExposed(storage: Storage, keys: string[], now: number): Promise<void>;
  /** Keeps a call that waits for approval, and tells whose approval that is; gives back the draft's id. */
  keepDraft(tx: Db, held: Held): Promise<number>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Where the world reaches the service, without a slash at the end. */
  baseUrl: string;
}
