import { limits } from "@tandem/contract/limits";
import type { SignUpRequest } from "@tandem/contract/registration";
import type { Selectable } from "kysely";
import { notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { SignUpRequestRow } from "../../storage/schema/accounts.ts";
import type { Db } from "../../storage/storage.ts";
import { addAccount } from "./accounts.queries.ts";
import { postMails, queueNotice } from "./mails.ts";
import { takeSignUpRequest } from "./sign-up-requests.queries.ts";

/** Decisions about sign-ups that wait for approval. */
export const signUpRequests = {
  async listSignUps(ctx, { limit = limits.page.default, cursor = 0 }) {
    const rows = await ctx.read
      .selectFrom("sign_up_requests")
      .selectAll()
      .where("id", ">", cursor)
      .orderBy("id")
      .limit(limit + 1)
      .execute();
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { requests: page.map(asRequest), nextCursor };
  },
  async approveSignUp(ctx, { id }) {
    const response = await ctx.write(async (tx) => {
      const request = await takeRequest(tx, id);
      const { username, email: address, email_verified: verified, provider, subject } = request;
      const userId = await addAccount(tx, ctx.services.config, { ...accountOf(request), now: ctx.now });
      if (provider !== null && subject !== null)
        await tx.insertInto("identities").values({ provider, subject, user_id: userId }).execute();
      const kind = verified === 1 ? "verified_sign_up_approved" : "sign_up_approved";
      await queueNotice(ctx.services, tx, { userId, kind, address, now: ctx.now });
      return { username };
    });
    postMails(ctx.services);
    return response;
  },
  async refuseSignUp(ctx, { id, reason }) {
    const response = await ctx.write(async (tx) => {
      const { username, email: address } = await takeRequest(tx, id);
      const recipient = { userId: null, username, note: reason ?? null };
      await queueNotice(ctx.services, tx, { ...recipient, kind: "sign_up_refused", address, now: ctx.now });
      return { username };
    });
    postMails(ctx.services);
    return response;
  },
} satisfies Handlers<"listSignUps" | "approveSignUp" | "refuseSignUp">;

type Row = Selectable<SignUpRequestRow>;

async function takeRequest(tx: Db, id: number): Promise<Row> {
  const request = await takeSignUpRequest(tx, id);
  if (!request) throw notFound("waiting sign-up");
  return request;
}

function accountOf({ username, email, email_verified, password_hash, display_name }: Row) {
  return {
    ...{ username, email, emailVerified: email_verified === 1, passwordHash: password_hash },
    ...{ displayName: display_name, role: "user" as const, operatorId: null },
  };
}

function asRequest({ id, username, email, display_name, reason, provider, created_at }: Row): SignUpRequest {
  const createdAt = new Date(created_at).toISOString();
  return { id, username, email, displayName: display_name, reason, provider, createdAt };
}
