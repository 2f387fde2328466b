import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { ApiError, checkFields, invalid } from "../../http/api-error.ts";
import type { Context, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { addAccount, lockAccount, requireFree } from "./accounts.queries.ts";
import { hashPassword, verifyPassword } from "./hashing.ts";
import { knownPlacesOf, unknownPlaces } from "./known-places.ts";
import { postMails, queueNotice } from "./mails.ts";
import { isPlaceholder } from "./placeholder.ts";
import { consumeProof, type Proof, verifyProof } from "./proof-of-work.ts";
import { admit, requireAdmission, skipsApproval } from "./registration.ts";
import { consumeCode, verifySignInCode } from "./second-factor-codes.ts";
import { beginSession } from "./sessions.ts";
import {
  addSignUpRequest,
  countSignUpRequest,
  findClaims,
  findWaiting,
  takeSignUpRequest,
} from "./sign-up-requests.queries.ts";
import { limitAttempts, logInAttempt, refundAttempt, signUpAttempt } from "./throttle.ts";
import { refuseWeakPassword } from "./weak-passwords.ts";

export const passwords = {
  signUp: async (ctx, input) => {
    await requireAdmission(ctx, input.invitation);
    // Hashing is slow on purpose, so it runs outside the transaction, and only if username and address are free.
    const secured = await limitAttempts(ctx, signUpAttempt(ctx), async () => {
      const proof = await verifyProof(ctx, input.proof);
      const own = skipsApproval(ctx, input.invitation) ? await ownRequests(ctx, input) : [];
      await checkFields(
        () => requireDeliverable(input.email),
        () => requireFree(ctx.read, ctx.services.config, input, own),
        () => refuseWeakPassword(input.password, input),
      );
      return { proof, own, passwordHash: await hashPassword(input.password) };
    });
    const response = await ctx.write((tx) => signUp(ctx, tx, input, secured));
    postMails(ctx.services);
    return response;
  },
  logIn: async (ctx, input) => {
    const login = loginOf(input);
    const found = await findAccount(ctx.read, login);
    if (found) ctx.concerns("user", found.id);
    const waiting = found ? undefined : await findWaiting(ctx.read, login);
    const places = found ? await knownPlacesOf(ctx, found.id) : unknownPlaces;
    const attempt = logInAttempt(ctx, found?.username_key ?? login, places);
    await limitAttempts(ctx, attempt, () => requirePassword(found ?? waiting, input.password));
    await refundAttempt(ctx, attempt);
    const account = found ?? refuseWaiting();
    const codeUse = await verifySignInCode(ctx, account.id, input.code);
    return ctx.write(async (tx) => {
      await requireUnchanged(tx, account);
      await consumeCode(tx, account.id, codeUse);
      return beginSession(ctx, tx, account.id);
    });
  },
} satisfies Handlers<"signUp" | "logIn">;

/**
 * The waiting sign-ups with this username or address that are of the same person: they have the same password. Guesses count as
 * failed logins.
 */
async function ownRequests(ctx: Context, { username, email, password }: Input<Operations["signUp"]>) {
  const own: number[] = [];
  for (const { id, username_key, password_hash } of await findClaims(ctx.read, username, email)) {
    if (password_hash === null) continue;
    const attempt = logInAttempt(ctx, username_key, unknownPlaces);
    if (!(await limitAttempts(ctx, attempt, () => verifyPassword(password_hash, password)))) continue;
    await refundAttempt(ctx, attempt);
    own.push(id);
  }
  return own;
}

function requireDeliverable(email: string): void {
  if (isPlaceholder(email))
    throw invalid("email", "Mail can't be delivered to this address. Use another one.");
}

interface Secured {
  proof: Proof | null;
  /** The waiting sign-ups that the account replaces. */
  own: readonly number[];
  passwordHash: string;
}

async function signUp(
  ctx: Context,
  tx: Db,
  { username, email, invitation, reason }: Input<Operations["signUp"]>,
  { proof, own, passwordHash }: Secured,
) {
  await consumeProof(tx, proof, ctx.now);
  const { waits, invitedBy } = await admit(ctx, tx, invitation);
  const person = { username, email, passwordHash, displayName: null };
  if (waits) {
    await countSignUpRequest(ctx, tx);
    await addSignUpRequest(ctx, tx, { ...person, reason: reason?.trim() || null });
    return { user: null };
  }
  for (const id of own) await takeSignUpRequest(tx, id);
  const account = { ...person, role: "user", operatorId: null, invitedBy, now: ctx.now } as const;
  const userId = await addAccount(tx, ctx.services.config, account);
  await queueNotice(ctx.services, tx, { userId, kind: "confirm_email", address: email, now: ctx.now });
  return beginSession(ctx, tx, userId);
}

function loginOf({ email, username }: Input<Operations["logIn"]>): string {
  const login = email ?? username;
  if (login != null) return login;
  throw invalid("email", "email or username is required.");
}

/** Either a username or an email address, in any case. */
function findAccount(db: Db, login: string) {
  const key = login.toLowerCase();
  return db
    .selectFrom("users")
    .select(["id", "username_key", "password_hash"])
    .where((eb) => eb.or([eb("username_key", "=", key), eb("email_key", "=", key)]))
    .executeTakeFirst();
}

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/** Throws the same error, after the same time, whether the account or the password is wrong. */
async function requirePassword(account: Pick<Account, "password_hash"> | undefined, password: string) {
  if (!(await verifyPassword(account?.password_hash ?? null, password))) throw wrongCredentials();
}

/** Only who knows the password learns that the account waits. */
function refuseWaiting(): never {
  throw new ApiError("approval_pending");
}

/** A password change ends all sessions. So no session may begin with a password that was replaced since it was verified. */
async function requireUnchanged(tx: Db, { id, password_hash }: Account): Promise<void> {
  await lockAccount(tx, id);
  const unchanged = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("password_hash", "=", password_hash)
    .executeTakeFirst();
  if (!unchanged) throw wrongCredentials();
}

function wrongCredentials(): ApiError {
  return new ApiError("unauthorized", "Wrong username or password.");
}
