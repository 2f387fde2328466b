import type { FastifyBaseLogger } from "fastify";
import type { Registry } from "prom-client";
import type { Config } from "../config.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Media } from "../media/media.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { Db, Storage } from "../storage/storage.ts";
import type { AfterResponse } from "./after-response.ts";
import type { PendingCall, PendingMedia } from "./approval.ts";
import type { EventStreams } from "./event-stream.ts";
import type { Shutdown } from "./shutdown.ts";
import type { UploadLimiter } from "./upload-limiter.ts";

/** The service's shared dependencies. */
export interface Services {
  readonly config: Config;
  readonly storage: Storage;
  readonly media: Media;
  readonly mailer: Mailer;
  readonly afterResponse: AfterResponse;
  readonly uploadLimiter: UploadLimiter;
  readonly shutdown: Shutdown;
  /** Open event streams. */
  readonly streams: EventStreams;
  /** The client for outgoing requests. */
  readonly outgoing: Outgoing;
  readonly log: FastifyBaseLogger;
  /** This process's metrics. */
  readonly metrics: Registry;
  /** Revokes these API keys, if live, and notifies their owners. */
  revokeExposed(storage: Storage, keys: string[], now: number): Promise<void>;
  /** Stores a call that waits for approval, unless it waits already, and notifies the approver. Returns the draft's id, and whether anything was stored or withdrawn. */
  addPendingDraft(tx: Db, call: PendingCall, media?: PendingMedia): Promise<{ id: number; changed: boolean }>;
  /** Does work of a call, and withdraws the drafts that the call overtakes: those that wait to do the opposite, and votes for other options. */
  withdrawingOvertaken<Result>(
    tx: Db,
    call: PendingCall,
    work: (withdrew: boolean) => Promise<Result>,
  ): Promise<Result>;
  /** Milliseconds since 1970. */
  now(): number;
  /** The service's public URL, without a trailing slash. */
  baseUrl: string;
}
