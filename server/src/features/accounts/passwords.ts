import { hash, verify } from "@node-rs/argon2";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { Context, Handlers } from "../../http/context.ts";
import { Problem } from "../../http/problem.ts";
import type { Db } from "../../storage/storage.ts";
import { addAccount } from "./accounts.queries.ts";
import { beginSession } from "./sessions.ts";
import { attempt, countAttempt, forgive, loginCounts, signUpCounts } from "./throttle.ts";

export const passwords = {
  signUp: async (ctx, input) => {
    // Hashing takes a while on purpose, so it is done before the transaction.
    const passwordHash = await hash(input.password);
    return ctx.write((tx) => signUp(ctx, tx, input, passwordHash));
  },
  logIn: async (ctx, input) => {
    const name = nameOf(input);
    const counts = loginCounts(ctx, name);
    await countAttempt(ctx, counts);
    const userId = await recognise(ctx.read, name, input.password);
    return ctx.write(async (tx) => {
      await forgive(tx, counts);
      return beginSession(ctx, tx, userId);
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
  for (const count of signUpCounts(ctx)) await attempt(ctx, tx, count);
  return beginSession(ctx, tx, userId);
}

function nameOf({ email, username }: Input<Operations["logIn"]>): string {
  const name = email ?? username;
  if (name !== undefined) return name;
  throw new Problem("invalid_input", "email or username is required.", { field: "email" });
}

/** The account that a name and a password belong to; what was wrong about them is not told. */
async function recognise(db: Db, name: string, password: string): Promise<number> {
  const key = name.toLowerCase();
  const account = await db
    .selectFrom("users")
    .select(["id", "password_hash"])
    .where((eb) => eb.or([eb("username_key", "=", key), eb("email_key", "=", key)]))
    .executeTakeFirst();
  const known = await verify(account?.password_hash ?? (await nobodysHash()), password);
  if (known && account?.password_hash) return account.id;
  throw new Problem("unauthorized", "Name and password don't belong together.");
}

let nobody: Promise<string> | undefined;

/** Checked where there is no account, so that the time taken doesn't tell who has one. */
function nobodysHash(): Promise<string> {
  nobody ??= hash("nobody");
  return nobody;
}
