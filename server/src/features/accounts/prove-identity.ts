import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { recordUse } from "./passkeys.queries.ts";
import { verifyAssertion } from "./passkeys.ts";
import { reauthenticate, setProven } from "./reauthentication.ts";
import { limitAttempts, passkeyAttempt, refundAttempt } from "./throttle.ts";
import { consumeToken } from "./tokens.ts";

export const proveIdentity = {
  async reauthenticate(ctx, { password, id, clientDataJSON, authenticatorData, signature }) {
    if (id != null && clientDataJSON != null && authenticatorData != null && signature != null)
      return byPasskey(ctx, { id, clientDataJSON, authenticatorData, signature });
    if (password == null) throw invalid("password", "Send the password, or a passkey's id and response.");
    await reauthenticate(ctx, password);
    return ctx.write(async () => ({ ok: true }));
  },
} satisfies Handlers<"reauthenticate">;

async function byPasskey(ctx: SignedIn, input: Input<Operations["signInWithPasskey"]>) {
  const { caller, now } = ctx;
  const attempt = passkeyAttempt(ctx);
  const assertion = await limitAttempts(ctx, attempt, () => verifyAssertion(ctx, input, wrongPasskey));
  await refundAttempt(ctx, attempt);
  return ctx.write(async (tx) => {
    const token = await consumeToken(tx, "passkey_sign_in", assertion.challenge, now);
    const isOwn = assertion.userId === caller.userId;
    if (!token || !isOwn || !(await recordUse(tx, assertion.id, assertion.counter, now)))
      throw wrongPasskey();
    await setProven(tx, caller, now);
    return { ok: true };
  });
}

function wrongPasskey(): ApiError {
  return new ApiError(
    "forbidden",
    "This passkey doesn't belong to your account, or it took too long. Try again.",
  );
}
