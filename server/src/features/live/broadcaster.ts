import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { SILENCE_TIMEOUT } from "./on-air.ts";

/** An account, and its stream if it has one. */
export type Broadcaster = NonNullable<Awaited<ReturnType<typeof readBroadcaster>>>;

export function readBroadcaster(db: Db, username: string) {
  return db
    .selectFrom("users as u")
    .leftJoin("lives as l", "l.user_id", "u.id")
    .select(["u.id", "u.username", "u.role", "u.operator_id", "u.suspended_until", "u.paused"])
    .select(["l.started_at", "l.stream", "l.last_sign_at", "l.first_number", "l.upstream_number"])
    .where("u.username_key", "=", username.toLowerCase())
    .executeTakeFirst();
}

/** Whether the account is listed as live. */
export function isLive({ config, now }: Services, broadcaster: Broadcaster): boolean {
  const { started_at, last_sign_at, suspended_until, paused } = broadcaster;
  if (started_at === null || paused === 1 || (suspended_until !== null && suspended_until > now()))
    return false;
  return config.streaming
    ? last_sign_at !== null && last_sign_at > now() - SILENCE_TIMEOUT
    : last_sign_at === null;
}

/** Where the streaming server has the account's stream; null unless the account is live. */
export function streamUrl(services: Services, broadcaster: Broadcaster): string | null {
  const { config, baseUrl } = services;
  const name = config.streaming ? broadcaster.stream : broadcaster.username;
  const base = config.liveUrl ?? (config.streaming ? `${baseUrl}/live` : null);
  return name !== null && base !== null && isLive(services, broadcaster)
    ? `${base}/${encodeURIComponent(name)}/index.m3u8`
    : null;
}
