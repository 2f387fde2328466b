import { createHash, randomBytes } from "node:crypto";
import { providerNames } from "@tandem/contract/account-resources";
import { withoutHidden } from "@tandem/contract/hidden-text";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { ProviderConfig } from "../../config.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Context, Handlers, JsonText } from "../../http/context.ts";
import { isText } from "../../http/formats.ts";
import { keysIn } from "../../http/key-format.ts";
import type { Db } from "../../storage/storage.ts";
import { addAccount, isReserved, type NewAccount } from "./accounts.queries.ts";
import type { IdToken } from "./id-tokens.ts";
import { keepNonce, spendNonce, spendToken } from "./nonces.ts";
import { judgeSignInCode, spendCode } from "./second-factor-codes.ts";
import { beginSession } from "./sessions.ts";
import { count, nonceAttempt, signUpAttempt } from "./throttle.ts";

/** How many names are tried beyond the first. */
const NAMES = 10;
const NONCE_COOKIE = "tandem_nonce";
const NONCE_SECONDS = 600;

/** Where each has its page for signing in, from its issuer's address on. */
const authorizePaths: Record<Provider, string> = { google: "/o/oauth2/v2/auth", apple: "/auth/authorize" };

export const providers = {
  listProviders: async ({ services: { config } }) => ({
    providers: providerNames.flatMap((name) => {
      const [clientId] = config[name]?.clientIds ?? [];
      return clientId === undefined
        ? []
        : { name, clientId, authorizeUrl: `${config[name]?.issuer}${authorizePaths[name]}` };
    }),
  }),
  beginSignIn: (ctx) =>
    ctx.write(async (tx) => {
      await count(ctx, tx, nonceAttempt(ctx));
      const nonce = randomBytes(24).toString("base64url");
      await keepNonce(tx, nonce, ctx.now + NONCE_SECONDS * 1000);
      ctx.setCookie({ name: NONCE_COOKIE, value: nonce, maxAge: NONCE_SECONDS });
      return { nonce };
    }),
  signInWithGoogle: (ctx, input) => signIn(ctx, "google", input),
  signInWithApple: (ctx, input) => signIn(ctx, "apple", input),
} satisfies Handlers<"listProviders" | "beginSignIn" | "signInWithGoogle" | "signInWithApple">;

type Provider = (typeof providerNames)[number];

async function signIn(
  ctx: Context,
  provider: Provider,
  { idToken, fullName, code }: Input<Operations["signInWithApple"]>,
): Promise<JsonText> {
  const config: ProviderConfig | null = ctx.services.config[provider];
  if (!config) throw notFound("provider here");
  const nonce = ctx.cookies[NONCE_COOKIE];
  const { verifyIdToken } = await import("./id-tokens.ts");
  const claims = await verifyIdToken(ctx.services, config, idToken, nonce);
  // A code that is missing is asked for before anything is spent, so the same ID token can come with it.
  const known = await knownIdentity(ctx.read, provider, claims);
  const use = known === undefined ? null : await judgeSignInCode(ctx, known, code);
  return ctx.write(async (tx) => {
    if (nonce === undefined) await spendToken(tx, idToken, claims.exp, ctx.now);
    else await spendNonce(tx, nonce, ctx.now);
    const userId =
      (await knownIdentity(tx, provider, claims)) ?? (await welcome(ctx, tx, provider, claims, fullName));
    await spendCode(tx, userId, use);
    ctx.setCookie({ name: NONCE_COOKIE, value: null, maxAge: 0 });
    return beginSession(ctx, tx, userId);
  });
}

async function knownIdentity(tx: Db, provider: Provider, { sub }: IdToken): Promise<number | undefined> {
  const row = await tx
    .selectFrom("identities")
    .select("user_id")
    .where("provider", "=", provider)
    .where("subject", "=", sub)
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Opens an account for someone new. An address that another account has is refused, never merged: no one has
 * proved here that both are the same person's.
 */
async function welcome(ctx: Context, tx: Db, provider: Provider, claims: IdToken, fullName = claims.name) {
  await count(ctx, tx, signUpAttempt(ctx));
  const subject = claims.sub;
  const verified = emailOf(provider, claims);
  const email = verified ?? `${provider}-${shortHash(subject)}@users.invalid`;
  const displayName = typeof fullName === "string" ? displayNameOf(fullName) : null;
  const account = {
    email,
    emailVerified: verified !== null,
    passwordHash: null,
    displayName,
    role: "user",
    operatorId: null,
    now: ctx.now,
  } as const;
  const wish = displayName ?? email.split("@")[0] ?? "";
  const userId = await addUnderFreeName(tx, account, wish).catch(asTokenProblem);
  await tx.insertInto("identities").values({ provider, subject, user_id: userId }).execute();
  return userId;
}

/** A name that was free a moment ago may have gone to somebody who signed in at the same time: then another is found. */
async function addUnderFreeName(
  tx: Db,
  account: Omit<NewAccount, "username">,
  wish: string,
): Promise<number> {
  for (let left = NAMES; ; left--) {
    const username = await freeUsername(tx, wish);
    try {
      return await addAccount(tx, { ...account, username });
    } catch (error) {
      if (left === 0 || !(error instanceof ApiError) || error.code !== "username_taken") throw error;
    }
  }
}

function asTokenProblem(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== "email_taken") throw error;
  throw new ApiError("email_taken", "Another account has this address: log in to that one.", {
    field: "idToken",
  });
}

/** The address, if the provider says that it is the person's: one that isn't claims nothing here. */
function emailOf(provider: Provider, { email, email_verified: verified }: IdToken): string | null {
  // Apple also writes it as text.
  if (verified !== true && !(provider === "apple" && verified === "true")) return null;
  return typeof email === "string" && email.length <= limits.email && isText(email) && email.includes("@")
    ? email
    : null;
}

/** As much of a name as an account can have. A provider's word of someone is shown as far as it can be; it keeps nobody out. */
function displayNameOf(fullName: string): string | null {
  if (!isText(fullName) || keysIn(fullName).length > 0) return null;
  const shown = [...withoutHidden(fullName).trim()].slice(0, limits.displayName).join("");
  return withoutHidden(shown) || null;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** A username made from a name, with as many random digits as it takes to be free. */
async function freeUsername(tx: Db, wish: string): Promise<string> {
  const plain = wish
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
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
