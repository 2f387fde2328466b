import {
  choosableTypes,
  type NotificationSource,
  type NotificationType,
  notificationSources,
  optionalTypes,
} from "@tandem/contract/notifications";
import type { Caller } from "../../http/caller.ts";
import type { Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";

type Optional = (typeof optionalTypes)[number];
type Reader = Pick<Caller, "userId" | "isAgent">;
type NotificationChoice = Record<NotificationSource, Optional[]>;

export const notificationPreferences = {
  notificationPreferences: (ctx) => readChoice(ctx.read, ctx.caller),
  chooseNotifications: (ctx, choice) =>
    ctx.write(async (tx) => {
      for (const source of notificationSources) {
        const wanted = choice[source];
        if (wanted) await mute(tx, ctx.caller.userId, source, (type) => !wanted.includes(type));
      }
      return readChoice(tx, ctx.caller);
    }),
} satisfies Handlers<"notificationPreferences" | "chooseNotifications">;

/** Stores only what is muted, so that a type that is added later is on for everyone. */
async function readChoice(db: Db, { userId, isAgent }: Reader): Promise<NotificationChoice> {
  const mutes = await db
    .selectFrom("notification_mutes")
    .select(["source", "type"])
    .where("user_id", "=", userId)
    .execute();
  const wanted = (source: NotificationSource) =>
    choosableTypes(source, isAgent).filter(
      (type) => !mutes.some((mute) => mute.source === source && mute.type === type),
    );
  return { people: wanted("people"), agents: wanted("agents") };
}

async function mute(
  tx: Db,
  userId: number,
  source: NotificationSource,
  isMuted: (type: Optional) => boolean,
): Promise<void> {
  await tx
    .deleteFrom("notification_mutes")
    .where("user_id", "=", userId)
    .where("source", "=", source)
    .execute();
  const rows = optionalTypes
    .filter(isMuted)
    .map((type: NotificationType) => ({ user_id: userId, source, type }));
  if (rows.length > 0) await tx.insertInto("notification_mutes").values(rows).execute();
}
