import { ApiError } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { endAccess, readAccess } from "./access.queries.ts";
import { postMails } from "./mails.ts";
import { reauthenticate } from "./reauthentication.ts";
import { queueSignInChangeMail } from "./security.ts";

export const access = {
  async endAccess(ctx, { password }) {
    const { services, caller, now } = ctx;
    const passwordHash = await reauthenticate(ctx, password);
    if (passwordHash === null)
      throw new ApiError("forbidden", "Your account has no password. Set one first, or you couldn't log in.");
    const response = await ctx.write(async (tx) => {
      await endAccess(tx, caller.userId, caller.sessionId);
      await queueSignInChangeMail(services, tx, caller.userId, now);
      return { access: await readAccess(tx, caller.userId, caller.sessionId) };
    });
    postMails(services);
    return response;
  },
} satisfies Handlers<"endAccess">;
