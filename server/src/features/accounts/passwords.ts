import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { Context, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { addAccount, lockAccount, requireFree } from "./accounts.queries.ts";
import { hashPassword, verifyPassword } from "./hashing.ts";
import { leadsNowhere, postMails, queueNotice } from "./mails.ts";
import { judgeSignInCode, spendCode } from "./second-factor-codes.ts";
import { beginSession } from "./sessions.ts";
import { counted, forgive, logInAttempt, signUpAttempt } from "./throttle.ts";

export const passwords = {
  signUp: async (ctx, input) => {
    if (leadsNowhere(input.email)) throw invalid("email", "No mail is delivered to this address.");
    // Hashing takes a while on purpose: so it is done before the transaction, and only where there is a point in it.
    const passwordHash = await counted(ctx, signUpAttempt(ctx), async () => {
      await requireFree(ctx.read, input);
      return hashPassword(input.password);
    });
    const answer = await ctx.write((tx) => signUp(ctx, tx, input, passwordHash));
    postMails(ctx.services);
    return answer;
  },
  logIn: async (ctx, input) => {
    const name = nameOf(input);
    const account = await accountNamed(ctx.read, name);
    const attempt = logInAttempt(ctx, account?.username_key ?? name);
    const known = await counted(ctx, attempt, () => recognise(account, input.password));
    await forgive(ctx, attempt);
    const use = await judgeSignInCode(ctx, known.id, input.code);
    return ctx.write(async (tx) => {
      await requireUnchanged(tx, known);
      await spendCode(tx, known.id, use);
      return beginSession(ctx, tx, known.id);
    });
  },
} satisfies Handlers<"signUp" | "logIn">;

async function signUp(ctx: Context, tx: Db, input: Input<Operations["signUp"]>, passwordHash: string) {
  const { username, email } = input;
  const account = {
    username,
    email,
    passwordHash,
    displayName: null,
    role: "user",
    operatorId: null,
  } as const;
  const userId = await addAccount(tx, { ...account, now: ctx.now });
  await queueNotice(ctx.services, tx, { userId, kind: "confirm_email", address: email, now: ctx.now });
  return beginSession(ctx, tx, userId);
}

function nameOf({ email, username }: Input<Operations["logIn"]>): string {
  const name = email ?? username;
  if (name != null) return name;
  throw new ApiError("invalid_input", "email or username is required.", { field: "email" });
}

function accountNamed(db: Db, name: string) {
  const key = name.toLowerCase();
  return db
    .selectFrom("users")
    .select(["id", "username_key", "password_hash"])
    .where((eb) => eb.or([eb("username_key", "=", key), eb("email_key", "=", key)]))
    .executeTakeFirst();
}

type Account = NonNullable<Awaited<ReturnType<typeof accountNamed>>>;

/** The account, if the password is its own; what was wrong about name or password is not told. */
async function recognise(account: Account | undefined, password: string): Promise<Account> {
  if ((await verifyPassword(account?.password_hash ?? null, password)) && account) return account;
  throw noMatch();
}

/** Who sets a new password ends all sessions: so none begins by one that was judged before that, and was replaced since. */
async function requireUnchanged(tx: Db, { id, password_hash }: Account): Promise<void> {
  await lockAccount(tx, id);
  const same = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("password_hash", "=", password_hash)
    .executeTakeFirst();
  if (!same) throw noMatch();
}

function noMatch(): ApiError {
  return new ApiError("unauthorized", "Name and password don't belong together.");
}
