import type { Notification } from "@tandem/contract/notifications";
import type { PushMessage, PushNotice } from "@tandem/contract/push";
import { TEST_TYPE } from "@tandem/contract/webhooks";
import { asNotification } from "../../events/notices.ts";
import type { Services } from "../../http/services.ts";
import type { Db } from "../../storage/storage.ts";
import { latestOf } from "../notifications/notifications.ts";
import { titlesOf } from "../posts/posts.queries.ts";
import type { Hook, Sending } from "./webhooks.queries.ts";

/** Bytes of a message: encrypted it must fit into the 4096 that every push service takes (RFC 8030). */
const MOST = 3500;
/** Characters of a post's title. */
const TITLE = 120;
/** Longer addresses of pictures are left out. */
const PICTURE = 300;

export interface PushPayload {
  /** Null where there is nothing to tell, or nobody to tell it. */
  message: string | null;
  /** The last notification that this takes care of; null where it is about none. */
  upto: number | null;
}

/**
 * What a browser is to be told, made as it is sent: from that notification on all that is still there and unread, as
 * far as it fits, the newest first.
 */
export async function payloadFor(
  { storage: { read }, now }: Services,
  hook: Hook,
  sending: Sending,
): Promise<PushPayload> {
  const reader = await readerOf(read, hook, now());
  if (sending.type === TEST_TYPE)
    return { message: reader ? written({ test: true, notices: [] }) : null, upto: null };
  const from = firstOf(sending);
  const rows = await latestOf(read, hook.user_id).where("n.id", ">=", from).execute();
  const upto = rows[0]?.id ?? from;
  const unread = reader ? rows.filter(({ id }) => id > reader.read_upto) : [];
  if (unread.length === 0) return { message: null, upto };
  const titles = await titlesOf(
    read,
    unread.flatMap(({ post_id }) => post_id ?? []),
  );
  const notices = unread.map((row) => noticeOf(asNotification(row, 0), titles.get(row.post_id ?? 0)));
  return { message: written({ test: false, notices: fitting(notices) }), upto };
}

/** What `announce` wrote (events/outbox.ts). */
function firstOf({ payload }: Sending): number {
  const { data } = JSON.parse(payload) as { data: { from: number } };
  return data.from;
}

/** How far the one has read who is signed in there; null where nobody is any more, or may hear nothing for now. */
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

function noticeOf(notice: Notification, title: string | undefined): PushNotice {
  const { avatarUrl } = notice.actor;
  const shown = avatarUrl !== null && avatarUrl.length <= PICTURE ? avatarUrl : null;
  return {
    ...notice,
    actor: { ...notice.actor, avatarUrl: shown },
    title: title === undefined ? null : [...title].slice(0, TITLE).join(""),
  };
}

/** As many as there is room for. */
function fitting(notices: readonly PushNotice[]): PushNotice[] {
  let room = MOST - written({ test: false, notices: [] }).length;
  const fits = (notice: PushNotice) => {
    room -= Buffer.byteLength(JSON.stringify(notice)) + 1;
    return room >= 0;
  };
  const end = notices.findIndex((notice) => !fits(notice));
  return end < 0 ? [...notices] : notices.slice(0, end);
}

const written = (message: PushMessage): string => JSON.stringify(message);
