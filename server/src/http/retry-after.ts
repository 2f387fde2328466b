import { HOUR, MINUTE } from "@tandem/contract/durations";
import { type RawBuilder, sql } from "kysely";
import type { OutgoingResponse } from "../outgoing/outgoing.ts";
import { HostBusyError } from "../outgoing/outgoing-error.ts";
import type { Services } from "./services.ts";

/** The longest pause that a receiver gets, in milliseconds. */
const LONGEST = HOUR;
/** The pause after a 429 that doesn't say how long. */
const USUAL = MINUTE;

type Answer = Pick<OutgoingResponse, "status" | "headers">;
type Site = Pick<Services, "storage" | "now">;

/**
 * Sends a request, unless the receiver asked for a pause that hasn't ended, and remembers the pause that the response asks for. All
 * processes respect it, also after a restart.
 *
 * A receiver is a host, for whatever crawls. Conversations that must not be paused by what others did at the same host have a name of
 * their own, such as `webhook 12`. Throws {@link HostBusyError}, and what `send` throws.
 */
export async function respectPause(
  site: Site,
  receiver: string,
  send: () => Promise<OutgoingResponse>,
  longest = LONGEST,
): Promise<OutgoingResponse> {
  const left = await pauseOf(site, receiver);
  if (left > 0) throw new HostBusyError(left);
  const response = await send();
  await notePause(site, receiver, response, longest);
  return response;
}

/** Milliseconds for which the receiver wants no more requests; 0 for none. */
export async function pauseOf({ storage, now }: Site, receiver: string): Promise<number> {
  const pause = await storage.read
    .selectFrom("pauses")
    .select("ends_at")
    .where("receiver", "=", receiver)
    .executeTakeFirst();
  return Math.max(0, (pause?.ends_at ?? 0) - now());
}

/** Remembers the pause that a response asks for. A pause is never shortened. */
export async function notePause(
  { storage, now }: Site,
  receiver: string,
  response: Answer,
  longest = LONGEST,
): Promise<void> {
  const asked = pauseAskedBy(response, now(), longest);
  if (asked === 0) return;
  const ends_at = now() + asked;
  await storage.write((tx) =>
    tx
      .insertInto("pauses")
      .values({ receiver, ends_at })
      .onConflict((conflict) =>
        conflict.column("receiver").doUpdateSet({ ends_at }).where("pauses.ends_at", "<", ends_at),
      )
      .execute(),
  );
}

/** The milliseconds for which a response asks to be left alone; 0 if it doesn't. */
export function pauseAskedBy({ status, headers }: Answer, now: number, longest = LONGEST): number {
  if (status !== 429 && status !== 503) return 0;
  const seconds = retryAfterOf(headers, now);
  return Math.min(seconds === null ? (status === 429 ? USUAL : 0) : seconds * 1000, longest);
}

/** The seconds of a `Retry-After` header, which has either seconds or a date; null without one. */
export function retryAfterOf(headers: Headers, now: number): number | null {
  const header = headers.get("retry-after")?.trim();
  if (!header) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

/** Whether the host in this column asked for a pause. */
export function isPaused(host: RawBuilder<unknown>, now: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from pauses where receiver = ${host} and ends_at > ${now})`;
}
