import { limits } from "@tandem/contract/limits";
import type { Notification } from "@tandem/contract/notifications";
import type { PushMessage, PushNotification } from "@tandem/contract/push";
import { MAX_ID } from "@tandem/contract/schema";
import { TEST_TYPE } from "@tandem/contract/webhooks";
import { asNotification, type Excerpt, isUnread } from "../../events/notifications.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { latestOf } from "../notifications/notifications.ts";
import { titlesOf } from "../posts/posts.queries.ts";
import type { Hook, Sending } from "./webhooks.queries.ts";

/** Bytes of a message. Encrypted, it must fit into the 4096 bytes that every push service accepts (RFC 8030). */
const MAX_BYTES = 3500;
/** Characters of a post's title. */
const MAX_TITLE = 120;
/** Characters of an avatar's URL; longer ones are left out. */
const MAX_AVATAR_URL = 300;

export interface PushPayload {
  /** Null if there is nothing to send, or no one to send it to. */
  message: string | null;
  /** The id of the last notification that this push covers; null for a test push. */
  upTo: number | null;
}

/**
 * Builds a browser's push message at sending time: the unread notifications from the queued one on, newest first, as many
 * as fit.
 */
export async function payloadFor(
  { storage: { read }, now }: Services,
  hook: Hook,
  sending: Sending,
): Promise<PushPayload> {
  const reader = await readerOf(read, hook, now());
  if (sending.type === TEST_TYPE)
    return { message: reader ? serialize({ test: true, notices: [] }) : null, upTo: null };
  const from = firstIdOf(sending);
  const range = { after: from - 1, before: MAX_ID, limit: limits.notifications };
  const rows = await latestOf(read, hook.user_id, range).execute();
  const upTo = rows[0]?.id ?? from;
  const unread = reader ? rows.filter((row) => isUnread(row, reader.read_upto)) : [];
  if (unread.length === 0) return { message: null, upTo };
  const titles = await titlesOf(
    read,
    unread.flatMap(({ post_id }) => post_id ?? []),
  );
  const notifications = unread.map((row) =>
    notificationOf(asNotification(row, 0), titles.get(row.post_id ?? 0)),
  );
  return { message: serialize({ test: false, notices: fitToSize(notifications) }), upTo };
}

/** The id that `enqueuePush` stored (events/outbox.ts). */
function firstIdOf({ payload }: Sending): number {
  const { data } = JSON.parse(payload) as { data: { from: number } };
  return data.from;
}

/** The signed-in account's last read notification. Null if the session has ended, or the account is suspended or being deleted. */
async function readerOf(db: Db, { session_id, user_id }: Hook, now: number) {
  const row = await db
    .selectFrom("sessions as s")
    .innerJoin("users as u", "u.id", "s.user_id")
    .select("u.read_upto")
    .where("s.id", "=", session_id)
    .where("s.user_id", "=", user_id)
    .where("s.expires_at", ">", now)
    .where("u.removing_at", "is", null)
    .where((eb) => eb.or([eb("u.suspended_until", "is", null), eb("u.suspended_until", "<=", now)]))
    .executeTakeFirst();
  return row ?? null;
}

function notificationOf(
  {
    excerpt: _,
    excerptProvenance: _provenance,
    excerptProvenanceBasis: _basis,
    ...notification
  }: Notification,
  title: Excerpt | undefined,
): PushNotification {
  const { actor } = notification;
  const fits = actor.avatarUrl !== null && actor.avatarUrl.length <= MAX_AVATAR_URL;
  return {
    ...notification,
    actor: { ...actor, avatarUrl: fits ? actor.avatarUrl : null },
    title: title === undefined ? null : [...title.text].slice(0, MAX_TITLE).join(""),
    titleProvenance: title?.provenance ?? null,
  };
}

/** The first notifications that fit into a message. */
function fitToSize(notifications: readonly PushNotification[]): PushNotification[] {
  let room = MAX_BYTES - serialize({ test: false, notices: [] }).length;
  const fits = (notification: PushNotification) => {
    room -= Buffer.byteLength(JSON.stringify(notification)) + 1;
    return room >= 0;
  };
  const end = notifications.findIndex((notification) => !fits(notification));
  return end < 0 ? [...notifications] : notifications.slice(0, end);
}

const serialize = (message: PushMessage): string => JSON.stringify(message);
