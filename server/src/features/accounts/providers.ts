import { createHash, randomBytes } from "node:crypto";
import { providerNames } from "@tandem/contract/account-resources";
import { withoutHidden } from "@tandem/contract/hidden-text";
import { routeOf } from "@tandem/contract/hints";
import { limits } from "@tandem/contract/limits";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import type { ProviderConfig } from "../../config.ts";
import { ApiError } from "../../http/api-error.ts";
import type { Context, Handlers, JsonText } from "../../http/context.ts";
import { isText } from "../../http/formats.ts";
import { keysIn } from "../../http/key-format.ts";
import type { Db } from "../../storage/storage.ts";
import { addAccount, isReserved, isTaken, lockAccount } from "./accounts.queries.ts";
import type { IdToken } from "./id-tokens.ts";
import { consumeIdToken, consumeNonce, storeNonce } from "./nonces.ts";
import { placeholder } from "./placeholder.ts";
import { admit, skipsApproval } from "./registration.ts";
import { consumeCode, verifySignInCode } from "./second-factor-codes.ts";
import { beginSession } from "./sessions.ts";
import {
  addSignUpRequest,
  countSignUpRequest,
  findWaitingIdentity,
  takeSignUpRequest,
} from "./sign-up-requests.queries.ts";
import { countAttempt, nonceAttempt, signUpAttempt } from "./throttle.ts";

/** How often another username is tried if one was taken meanwhile. */
const MAX_RETRIES = 10;
const NONCE_COOKIE = "tandem_nonce";
const NONCE_SECONDS = 600;

/** The path of each provider's authorization page, relative to its issuer. */
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
      await countAttempt(ctx, tx, nonceAttempt(ctx));
      const nonce = randomBytes(24).toString("base64url");
      await storeNonce(tx, nonce, ctx.now + NONCE_SECONDS * 1000);
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
  { idToken, fullName, code, invitation }: Input<Operations["signInWithApple"]>,
): Promise<JsonText> {
  const config: ProviderConfig | null = ctx.services.config[provider];
  if (!config)
    throw new ApiError("not_found", "This sign-in provider isn't enabled on this server.", {
      hint: `${routeOf("listProviders")} lists those that are.`,
    });
  const nonce = ctx.cookies()[NONCE_COOKIE];
  const { verifyIdToken } = await import("./id-tokens.ts");
  const claims = await verifyIdToken(ctx.services, config, idToken, nonce);
  // The code is checked before the token or nonce is consumed, so that a retry with a code can send the same ID token.
  const existing = await knownIdentity(ctx.read, provider, claims);
  if (existing !== undefined) ctx.concerns("user", existing);
  const codeUse = existing === undefined ? null : await verifySignInCode(ctx, existing, code);
  return ctx.write(async (tx) => {
    if (nonce === undefined) await consumeIdToken(tx, idToken, claims.exp, ctx.now);
    else await consumeNonce(tx, nonce, ctx.now);
    // The identity may be removed while the lock is awaited.
    if (existing !== undefined) await lockAccount(tx, existing);
    // Of two first sign-ins at once, the second finds what the first has added.
    else await tx.engine.lock(tx, [`${provider} ${claims.sub}`]);
    const userId =
      (await knownIdentity(tx, provider, claims)) ??
      (await signUp(ctx, tx, provider, claims, { fullName, invitation }));
    ctx.setCookie({ name: NONCE_COOKIE, value: null, maxAge: 0 });
    if (userId === null) return { user: null };
    await consumeCode(tx, userId, codeUse);
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
 * Creates an account and returns its id, or null if it waits for approval. If another account has the address, it throws
 * `email_taken` instead of merging them: nothing proves here that both belong to the same person.
 */
async function signUp(
  ctx: Context,
  tx: Db,
  provider: Provider,
  claims: IdToken,
  { fullName, invitation }: Pick<Input<Operations["signInWithApple"]>, "fullName" | "invitation">,
): Promise<number | null> {
  const subject = claims.sub;
  const waiting = await findWaitingIdentity(tx, provider, subject);
  if (waiting && !skipsApproval(ctx, invitation)) return null;
  const { waits, invitedBy } = await admit(ctx, tx, invitation);
  await countAttempt(ctx, tx, signUpAttempt(ctx));
  if (waiting) await takeSignUpRequest(tx, waiting.id);
  const verified = emailOf(provider, claims);
  const email = verified ?? placeholder("person", `${provider}-${shortHash(subject)}`);
  const name = textOfName(fullName) ?? claims.name;
  const displayName = typeof name === "string" ? displayNameOf(name) : null;
  const person = { email, emailVerified: verified !== null, passwordHash: null, displayName };
  const preferredName = displayName ?? email.split("@")[0] ?? "";
  if (waits) {
    await countSignUpRequest(ctx, tx);
    const add = (username: string) => addSignUpRequest(ctx, tx, { ...person, username, provider, subject });
    await underFreeName(tx, preferredName, add).catch(asIdTokenError);
    return null;
  }
  const account = { ...person, role: "user", operatorId: null, invitedBy, now: ctx.now } as const;
  const add = (username: string) => addAccount(tx, ctx.services.config, { ...account, username });
  const userId = await underFreeName(tx, preferredName, add).catch(asIdTokenError);
  await tx.insertInto("identities").values({ provider, subject, user_id: userId }).execute();
  return userId;
}

/** A concurrent sign-up may take the username after it was found free; then this retries with another one. */
async function underFreeName<T>(
  tx: Db,
  preferredName: string,
  add: (username: string) => Promise<T>,
): Promise<T> {
  for (let left = MAX_RETRIES; ; left--) {
    const username = await freeUsername(tx, preferredName);
    try {
      return await add(username);
    } catch (error) {
      if (left === 0 || !(error instanceof ApiError) || error.code !== "username_taken") throw error;
    }
  }
}

function asIdTokenError(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== "email_taken") throw error;
  throw new ApiError("email_taken", "Another account has this email address. Log in to that account.", {
    field: "idToken",
  });
}

/** The address, or null unless the provider has verified it. */
function emailOf(provider: Provider, { email, email_verified: verified }: IdToken): string | null {
  // Apple also sends the flag as a string.
  if (verified !== true && !(provider === "apple" && verified === "true")) return null;
  return typeof email === "string" && email.length <= limits.email && isText(email) && email.includes("@")
    ? email
    : null;
}

/** Apple gives websites a name's parts as `firstName` and `lastName`, and apps as `givenName`, `familyName` and more. */
function textOfName(name: Input<Operations["signInWithApple"]>["fullName"]): string | undefined {
  if (typeof name !== "object" || name === null) return name ?? undefined;
  const { givenName, firstName, middleName, familyName, lastName } = name;
  return [givenName ?? firstName, middleName, familyName ?? lastName].filter(Boolean).join(" ") || undefined;
}

/** Shortens the provider's name to a valid display name. An unusable name becomes null rather than an error. */
function displayNameOf(fullName: string): string | null {
  if (!isText(fullName) || keysIn(fullName).length > 0) return null;
  const shortened = [...withoutHidden(fullName).replace(/\s+/g, " ").trim()]
    .slice(0, limits.displayName)
    .join("");
  return withoutHidden(shortened) || null;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Derives a free username from a name, with random digits if needed. */
async function freeUsername(tx: Db, preferredName: string): Promise<string> {
  const plain = preferredName
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
    if (digits <= 6 && !isReserved(candidate) && !(await isTaken(tx, candidate))) return candidate;
    if (digits > 6) return `person_${randomBytes(8).toString("hex")}`;
  }
}
