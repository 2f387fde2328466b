import type { Checklist } from "@tandem/contract/account-resources";
import { sql } from "kysely";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/** The first steps of a person who is new here. */
export const checklist = {
  readChecklist: async (ctx) => ({ checklist: await checklistOf(ctx, ctx.read) }),
  closeChecklist: (ctx) =>
    ctx.write(async (tx) => {
      const { userId } = ctx.caller;
      await tx.updateTable("users").set({ checklist_closed: 1 }).where("id", "=", userId).execute();
      return { checklist: await checklistOf(ctx, tx) };
    }),
} satisfies Handlers<"readChecklist" | "closeChecklist">;

async function checklistOf({ caller, services }: SignedIn, db: Db): Promise<Checklist> {
  const [row] = await stepsOf(db, { userId: caller.userId });
  const isDone = (value: unknown) => Boolean(value);
  return {
    picture: isDone(row?.avatar_url),
    email: services.mailer.delivers ? isDone(row?.email_verified) : null,
    follow: isDone(row?.follows),
    post: isDone(row?.posts),
    agent: isDone(row?.agents),
    closed: isDone(row?.checklist_closed),
  };
}

interface Steps {
  avatar_url: string | null;
  email_verified: number;
  checklist_closed: number;
  follows: number | null;
  posts: number | null;
  agents: number | null;
}

const stepsOf = prepared<{ userId: number }, Steps>((db, { userId }) =>
  sql<Steps>`select u.avatar_url, u.email_verified, u.checklist_closed,
      (select 1 from follows where user_id = u.id limit 1) as follows,
      (select post_count from creators where user_id = u.id) as posts,
      (select 1 from users a where a.operator_id = u.id limit 1) as agents
    from users u where u.id = ${userId}`.compile(db),
);
