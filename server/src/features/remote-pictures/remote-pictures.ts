import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { HOUR, MINUTE } from "@tandem/contract/durations";
import { Counter } from "prom-client";
import { ApiError, notFound } from "../../http/api-error.ts";
import { isDenied } from "../../http/denied-links.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import { networkOf } from "../../http/network.ts";
import type { PictureRequest } from "../../http/serve-remote-pictures.ts";
import type { Services } from "../../http/services.ts";
import { onBehalfOf } from "../../media/fair-queue.ts";
import { inFolder } from "../../media/folder.ts";
import { InvalidMedia } from "../../media/invalid-media.ts";
import { nameFor } from "../../media/names.ts";
import { prepareRemote, type RemoteSize } from "../../media/pictures.ts";
import type { SourceType } from "../../media/source-type.ts";
import type { StoredBytes } from "../../media/store.ts";
import { OutgoingError, type OutgoingReason } from "../../outgoing/outgoing-error.ts";
import { addressAttempt, countAttempt } from "../accounts/throttle.ts";
import { Downloads, PictureMissing, TIMEOUTS } from "./download.ts";
import {
  claimEntry,
  forgetFile,
  readEntry,
  resetEntry,
  settleEntry,
  touchEntry,
  USE_PRECISION,
} from "./entries.queries.ts";
import { shownPicture } from "./shown.ts";

/** Milliseconds after which another process may fetch a picture whose process died. */
const LEASE = 2 * MINUTE;
/** Milliseconds that a failure is remembered. */
const FAILED = { temporarily: 5 * MINUTE, finally: 6 * HOUR };
/** Milliseconds between two looks at what another process is fetching, and the most of them. */
const LOOK = { every: 250, times: 120 };

const temporary: readonly OutgoingReason[] = ["unknown_host", "unreachable", "too_slow", "bad_answer"];

export interface FoundPicture {
  name: string;
  file: StoredBytes;
}

/** Finds a picture of another host in the cache, or fetches it. Throws `not_found`, `rate_limited` and `overloaded`. */
export class RemotePictures {
  readonly #services: Services;
  readonly #downloads: Downloads;
  readonly #stopped = new AbortController();
  /** By key: what this process fetches, once however many ask. */
  readonly #running = new Map<string, Promise<string | null>>();
  readonly #count: Counter;

  constructor(services: Services, timeouts = TIMEOUTS) {
    this.#services = services;
    this.#downloads = new Downloads(services, timeouts);
    this.#count = new Counter({
      name: "tandem_remote_pictures_total",
      help: "Requests for pictures of other sites that are shown here, by how they ended.",
      labelNames: ["outcome"],
      registers: [services.metrics],
    });
  }

  /** Calls `freePlace` once it has read the database, before it waits. */
  async find(request: PictureRequest, freePlace = () => {}): Promise<FoundPicture> {
    const wanted = await this.#shown(request);
    try {
      const { outcome, ...picture } = await this.#open(wanted, freePlace);
      this.#count.inc({ outcome });
      return picture;
    } catch (error) {
      this.#count.inc({ outcome: outcomeOf(error) });
      throw error;
    }
  }

  /** Ends downloads: what they are for is asked for again. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Throws `not_found` if no one shows the picture. */
  async #shown({ owner, url, size, address }: PictureRequest): Promise<Wanted> {
    const { storage, now, config } = this.#services;
    const shown =
      config.remotePictures.megabytes === 0 ? null : await shownPicture(storage.read, owner, url, now());
    if (!shown?.url.startsWith("http") || (await isDenied(storage.read, shown.url)))
      throw notFound("picture");
    // Each mark has a file of its own, since another owner may show the same picture without it.
    const what = [size, ...(shown.mark === null ? [] : [shown.mark]), shown.url].join(" ");
    const key = createHash("sha256").update(what).digest("base64url");
    return { ...shown, key, size, address };
  }

  async #open(
    wanted: Wanted,
    freePlace: () => void,
  ): Promise<FoundPicture & { outcome: "cached" | "fetched" }> {
    const { storage, now, media } = this.#services;
    const { key } = wanted;
    for (let attempt = 0; attempt < 2; attempt++) {
      const entry = await readEntry(storage.read, key);
      freePlace();
      const isCached = entry !== null && entry.expires_at > now();
      const name = isCached ? entry.file : await this.#join(wanted);
      if (name === null) throw new ApiError("not_found", "The picture isn't available at its origin.");
      if (isCached && entry.used_at < now() - USE_PRECISION)
        // For eviction only, so the picture is served even if nothing can be written.
        await storage.write((tx) => touchEntry(tx, key, now())).catch(() => {});
      const file = await media.store.open(name);
      if (file) return { name, file, outcome: isCached ? "cached" : "fetched" };
      // Evicted a moment ago, or the store has lost it.
      await storage.write((tx) => forgetFile(tx, key, name, now()));
    }
    throw notFound("picture");
  }

  /**
   * Waits for the picture if this process fetches it already, or else fetches it. Returns the stored file's name; null if it can't
   * be had.
   */
  async #join(wanted: Wanted): Promise<string | null> {
    const { key } = wanted;
    const running = this.#running.get(key);
    if (running)
      return running.catch((error: unknown) => {
        // Another client has reached its limit, but perhaps not this one.
        if (isLimited(error)) return this.#join(wanted);
        throw error;
      });
    const fetching = this.#fetchOnce(wanted).finally(() => this.#running.delete(key));
    this.#running.set(key, fetching);
    return fetching;
  }

  /** Fetches the picture, unless another process does. */
  async #fetchOnce(wanted: Wanted): Promise<string | null> {
    const { storage, now } = this.#services;
    for (let looks = 0; looks < LOOK.times && !this.#stopped.signal.aborted; looks++) {
      const entry = await readEntry(storage.read, wanted.key);
      if (entry && entry.expires_at > now()) return entry.file;
      const isFree = !entry || entry.lease_ends_at <= now();
      if (isFree && (await this.#claim(wanted))) return this.#fetchAndStore(wanted);
      await pause(LOOK.every);
    }
    throw new ApiError("overloaded", "The picture is still being fetched.", { retryAfter: 5 });
  }

  #claim({ key, address }: Wanted): Promise<boolean> {
    const { storage, now } = this.#services;
    return storage.write(async (tx) => {
      const claimed = await claimEntry(tx, key, now(), now() + LEASE);
      if (claimed) await countAttempt({ services: this.#services, now: now() }, tx, attemptOf(address));
      return claimed;
    });
  }

  async #fetchAndStore(wanted: Wanted): Promise<string | null> {
    const { storage, now, config } = this.#services;
    const { key, address } = wanted;
    const client = networkOf(address) ?? address;
    try {
      const { name, bytes } = await onBehalfOf(client, () => this.#download(wanted));
      const expires_at = now() + config.remotePictures.life;
      await this.#settle(key, { file: name, bytes, expires_at });
      return name;
    } catch (error) {
      const rest = restAfter(error);
      if (rest === null) {
        await storage.write((tx) => resetEntry(tx, key));
        throw error;
      }
      await this.#settle(key, { file: null, bytes: 0, expires_at: now() + rest });
      return null;
    }
  }

  async #settle(key: string, outcome: Parameters<typeof settleEntry>[2]): Promise<void> {
    const { storage, now, media } = this.#services;
    const old = await storage.write((tx) => settleEntry(tx, key, outcome, now()));
    if (old !== null && old !== outcome.file) await media.store.remove([old]);
  }

  #download({ url, size, mark }: Wanted): Promise<{ name: string; bytes: number }> {
    const { media } = this.#services;
    return this.#downloads.download(url, this.#stopped.signal, (downloaded) =>
      inFolder(media.incoming, async (folder) => {
        const path = join(folder, "picture");
        await writeFile(path, downloaded);
        const { path: made, bytes } = await prepareRemote(path, folder, { size, mark });
        const name = nameFor(
          createHash("sha256")
            .update(await readFile(made))
            .digest(),
          "webp",
        );
        await media.store.put(name, made);
        return { name, bytes };
      }),
    );
  }
}

interface Wanted {
  key: string;
  url: string;
  size: RemoteSize;
  mark: SourceType | null;
  address: string;
}

const attemptOf = (address: string) =>
  addressAttempt("pictures of other sites", address, "remotePicturesPerAddress");

/** How a request counts that got no picture. */
function outcomeOf(error: unknown): "failed" | "limited" | "busy" {
  if (isLimited(error)) return "limited";
  return error instanceof ApiError && error.code === "not_found" ? "failed" : "busy";
}

const isLimited = (error: unknown) => error instanceof ApiError && error.code === "rate_limited";

/** Milliseconds until the picture is fetched again; null if the failure was ours and says nothing about it. */
function restAfter(error: unknown): number | null {
  if (error instanceof InvalidMedia) return FAILED.finally;
  const isTemporary =
    error instanceof PictureMissing
      ? error.isTemporary
      : error instanceof OutgoingError
        ? temporary.includes(error.reason)
        : null;
  return isTemporary === null ? null : isTemporary ? FAILED.temporarily : FAILED.finally;
}

export const remotePicturesOf = memoizePerInstance((services: Services) => new RemotePictures(services));
