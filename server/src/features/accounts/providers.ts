import { createHash, randomBytes } from "node:crypto";
import { limits } from "@tandem/contract/limits";
import type { JWTPayload } from "jose";
import type { ProviderConfig } from "../../config.ts";
import type { Context, Handlers, JsonText } from "../../http/context.ts";
import { isText } from "../../http/formats.ts";
import { notFound, Problem } from "../../http/problem.ts";
import { charge } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";
import { addAccount, isReserved } from "./accounts.queries.ts";
import { verifyIdToken } from "./id-tokens.ts";
import { beginSession } from "./sessions.ts";
import { attempt, signUpCounts } from "./throttle.ts";

const NONCE_COOKIE = "tandem_nonce";
const NONCE_SECONDS = 600;
const SPENT_SECONDS = 7 * 86_400;

export const providers = {
  beginSignIn: (ctx) =>
    ctx.write(async () => {
      const nonce = randomBytes(24).toString("base64url");
      ctx.setCookie({ name: NONCE_COOKIE, value: nonce, maxAge: NONCE_SECONDS });
      return { nonce };
    }),
  signInWithGoogle: (ctx, { idToken }) => signIn(ctx, "google", idToken),
  signInWithApple: (ctx, { idToken, fullName }) => signIn(ctx, "apple", idToken, fullName),
} satisfies Handlers<"beginSignIn" | "signInWithGoogle" | "signInWithApple">;

type Provider = "google" | "apple";

async function signIn(
  ctx: Context,
  provider: Provider,
  idToken: string,
  fullName?: string,
): Promise<JsonText> {
  const config: ProviderConfig | null = ctx.house.config[provider];
  if (!config) throw notFound("provider here");
  const nonce = ctx.cookies[NONCE_COOKIE];
  const claims = await verifyIdToken(config, idToken, nonce);
  return ctx.write(async (tx) => {
    if (nonce !== undefined) await spendNonce(ctx, tx, nonce);
    const userId =
      (await knownIdentity(tx, provider, claims)) ?? (await welcome(ctx, tx, provider, claims, fullName));
    ctx.setCookie({ name: NONCE_COOKIE, value: null, maxAge: 0 });
    return beginSession(ctx, tx, userId);
  });
}

/** A nonce serves once: it is counted like a quota of one, for longer than a token made for it can live. */
async function spendNonce(ctx: Context, tx: Db, nonce: string): Promise<void> {
  const once = { name: "nonce", limit: 1, seconds: SPENT_SECONDS };
  await charge(tx, `nonce:${nonce}`, [once], ctx.now).catch((cause) => {
    throw new Problem("unauthorized", "This sign-in was already made.", { cause });
  });
}

async function knownIdentity(tx: Db, provider: Provider, { sub }: JWTPayload): Promise<number | undefined> {
  const row = await tx
    .selectFrom("identities")
    .select("user_id")
    .where("provider", "=", provider)
    .where("subject", "=", String(sub))
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Opens an account for someone new. An address that another account has is refused, never merged: no one has
 * proved here that both are the same person's.
 */
async function welcome(ctx: Context, tx: Db, provider: Provider, claims: JWTPayload, fullName = claims.name) {
  for (const count of signUpCounts(ctx)) await attempt(ctx, tx, count);
  const subject = String(claims.sub);
  const email = emailOf(claims) ?? `${provider}-${shortHash(subject)}@users.invalid`;
  const displayName =
    typeof fullName === "string" && isText(fullName) ? firstCharacters(fullName.trim()) || null : null;
  const username = await freeUsername(tx, displayName ?? email.split("@")[0] ?? "");
  const account = {
    username,
    email,
    passwordHash: null,
    displayName,
    role: "user",
    operatorId: null,
  } as const;
  const userId = await addAccount(tx, { ...account, now: ctx.now }).catch(asTokenProblem);
  await tx.insertInto("identities").values({ provider, subject, user_id: userId }).execute();
  return userId;
}

function asTokenProblem(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== "email_taken") throw error;
  throw new Problem("email_taken", "Another account has this address: log in to that one.", {
    field: "idToken",
  });
}

function emailOf({ email }: JWTPayload): string | null {
  return typeof email === "string" && email.length <= limits.email && isText(email) && email.includes("@")
    ? email
    : null;
}

function firstCharacters(name: string): string {
  return [...name].slice(0, limits.displayName).join("");
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** A username made from a name, with as many random digits as it takes to be free. */
async function freeUsername(tx: Db, wish: string): Promise<string> {
  const plain = wish
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  const stem = plain.length < limits.username.min ? "person" : plain.slice(0, limits.username.max - 8);
  for (let digits = 0; ; digits++) {
    const candidate =
      digits === 0
        ? stem
        : stem +
          randomBytes(4)
            .readUInt32BE()
            .toString()
            .slice(0, digits + 2);
    const key = candidate.toLowerCase();
    const row = await tx.selectFrom("users").select("id").where("username_key", "=", key).executeTakeFirst();
    if (!row && !isReserved(candidate) && digits <= 6) return candidate;
    if (digits > 6) return `person_${randomBytes(8).toString("hex")}`;
  }
}
