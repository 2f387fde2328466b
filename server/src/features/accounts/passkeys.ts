import { randomBytes } from "node:crypto";
import { MINUTE } from "@tandem/contract/durations";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { Context, Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { lockAccount, lockCaller, readUser } from "./accounts.queries.ts";
import { postMails } from "./mails.ts";
import {
  asPasskey,
  findPasskey,
  passkeysOf,
  recordUse,
  removeOwn,
  renameOwn,
  storePasskey,
} from "./passkeys.queries.ts";
import { reauthenticate } from "./reauthentication.ts";
import { queueSignInChangeMail } from "./security.ts";
import { beginSession } from "./sessions.ts";
import { countAttempt, limitAttempts, nonceAttempt, passkeyAttempt, refundAttempt } from "./throttle.ts";
import { consumeToken, storeToken } from "./tokens.ts";

/** Loaded on first use, because its X.509 parsers would slow down every start. */
const webauthn = () => import("@simplewebauthn/server");

/** Milliseconds within which the user must confirm on the device. */
const TIMEOUT = 5 * MINUTE;
const DEFAULT_NAME = "Passkey";
/** COSE identifiers of ES256, EdDSA and RS256: every device supports one of them. */
const ALGORITHMS = [-7, -8, -257];

export const passkeys = {
  listPasskeys: async (ctx) => ({ passkeys: (await passkeysOf(ctx.read, ctx.caller.userId)).map(asPasskey) }),
  async beginPasskey(ctx, { password }) {
    await reauthenticate(ctx, password);
    const challenge = newChallenge();
    const options = await creationOptions(ctx, challenge);
    return ctx.write(async (tx) => {
      const { userId } = ctx.caller;
      const expiresAt = ctx.now + TIMEOUT;
      await storeToken(tx, challenge, { purpose: "add_passkey", userId, email: null, expiresAt });
      return { options };
    });
  },
  async addPasskey(ctx, input) {
    const { challenge, passkey } = await verifyRegistration(ctx, input);
    return changePasskeys(ctx, async (tx) => {
      await lockCaller(tx, ctx.caller);
      const token = await consumeToken(tx, "add_passkey", challenge, ctx.now);
      if (token?.userId !== ctx.caller.userId) throw registrationError();
      return { passkey: await storePasskey(tx, passkey) };
    });
  },
  renamePasskey: (ctx, { id, name }) =>
    ctx.write(async (tx) => ({ passkey: await renameOwn(tx, ctx.caller.userId, id, name) })),
  async removePasskey(ctx, { id, password }) {
    await reauthenticate(ctx, password);
    return changePasskeys(ctx, async (tx) => {
      await removeOwn(tx, ctx.caller.userId, id);
      return { removed: true };
    });
  },
  async beginPasskeySignIn(ctx) {
    const challenge = newChallenge();
    const { generateAuthenticationOptions } = await webauthn();
    const generated = await generateAuthenticationOptions({
      rpID: relyingParty(ctx).id,
      challenge: decodeBase64url(challenge),
      timeout: TIMEOUT,
      userVerification: "required",
    });
    const options = {
      ...generated,
      challenge,
      rpId: relyingParty(ctx).id,
      timeout: TIMEOUT,
      userVerification: "required",
    };
    return ctx.write(async (tx) => {
      await countAttempt(ctx, tx, nonceAttempt(ctx));
      const expiresAt = ctx.now + TIMEOUT;
      await storeToken(tx, challenge, { purpose: "passkey_sign_in", userId: null, email: null, expiresAt });
      return { options };
    });
  },
  async signInWithPasskey(ctx, input) {
    const attempt = passkeyAttempt(ctx);
    const assertion = await limitAttempts(ctx, attempt, () => verifyAssertion(ctx, input));
    await refundAttempt(ctx, attempt);
    return ctx.write(async (tx) => {
      // Otherwise someone who removes the passkey now wouldn't see the session that it begins.
      await lockAccount(tx, assertion.userId);
      const token = await consumeToken(tx, "passkey_sign_in", assertion.challenge, ctx.now);
      if (!token || !(await recordUse(tx, assertion.id, assertion.counter, ctx.now))) throw signInError();
      return beginSession(ctx, tx, assertion.userId);
    });
  },
} satisfies Handlers<
  | "listPasskeys"
  | "beginPasskey"
  | "addPasskey"
  | "renamePasskey"
  | "removePasskey"
  | "beginPasskeySignIn"
  | "signInWithPasskey"
>;

/** Changes the account's passkeys, and tells its owner by mail. */
async function changePasskeys<T extends object>(ctx: SignedIn, work: (tx: Db) => Promise<T>) {
  const response = await ctx.write(async (tx) => {
    const result = await work(tx);
    await queueSignInChangeMail(ctx.services, tx, ctx.caller.userId, ctx.now);
    return result;
  });
  postMails(ctx.services);
  return response;
}

/** Passkeys are bound to the host name and origin of `BASE_URL`. */
function relyingParty({ services }: Context): { id: string; origin: string } {
  const { hostname, origin } = new URL(services.baseUrl);
  return { id: hostname, origin };
}

function newChallenge(): string {
  return randomBytes(32).toString("base64url");
}

function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, "base64url"));
}

async function creationOptions(ctx: SignedIn, challenge: string) {
  const { read, caller } = ctx;
  const { username, displayName } = await readUser(read, caller.userId);
  const others = await passkeysOf(read, caller.userId);
  const selection = { residentKey: "required", userVerification: "required" } as const;
  const { generateRegistrationOptions } = await webauthn();
  const generated = await generateRegistrationOptions({
    rpName: "Tandem",
    rpID: relyingParty(ctx).id,
    userName: username,
    userID: Uint8Array.from(Buffer.from(String(caller.userId))),
    userDisplayName: displayName ?? username,
    challenge: decodeBase64url(challenge),
    timeout: TIMEOUT,
    attestationType: "none",
    excludeCredentials: others.map(({ credential }) => ({ id: credential })),
    authenticatorSelection: selection,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  const { rp, user, pubKeyCredParams, excludeCredentials = [] } = generated;
  return {
    ...{ challenge, user, pubKeyCredParams, excludeCredentials, timeout: TIMEOUT, attestation: "none" },
    rp: { ...rp, id: relyingParty(ctx).id },
    authenticatorSelection: selection,
  };
}

/**
 * Verifies a new passkey. Returns it with the challenge it was created for; the caller must consume that challenge, which
 * proves that this service issued it. Throws `invalid_input`.
 */
async function verifyRegistration(ctx: SignedIn, input: Input<Operations["addPasskey"]>) {
  const { id, clientDataJSON, attestationObject, name } = input;
  const site = relyingParty(ctx);
  const { verifyRegistrationResponse } = await webauthn();
  let challenge = "";
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...credentialOf(id), response: { clientDataJSON, attestationObject } },
    expectedChallenge: (sent) => capture(sent, (value) => (challenge = value)),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo || registrationInfo.credential.id !== id) throw registrationError();
  const { credential, credentialBackedUp } = registrationInfo;
  const passkey = {
    user_id: ctx.caller.userId,
    credential: credential.id,
    public_key: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    synced: credentialBackedUp ? 1 : 0,
    name: name ?? DEFAULT_NAME,
    created_at: ctx.now,
  };
  return { challenge, passkey };
}

function credentialOf(id: string) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
}

/** Accepts any challenge and stores it, to be checked in the transaction. */
function capture(challenge: string, store: (challenge: string) => void): boolean {
  store(challenge);
  return true;
}

function registrationError(): ApiError {
  return invalid("clientDataJSON", "This passkey can't be verified, or it took too long. Start again.");
}

/** Verifies a sign-in. As above, the caller must consume the challenge. Throws `refusal`, whatever is wrong. */
export async function verifyAssertion(
  ctx: Context,
  input: Input<Operations["signInWithPasskey"]>,
  refusal = signInError,
) {
  const { id, clientDataJSON, authenticatorData, signature } = input;
  const passkey = await findPasskey(ctx.read, id);
  if (!passkey) throw refusal();
  ctx.concerns("user", passkey.user_id);
  const site = relyingParty(ctx);
  const { verifyAuthenticationResponse } = await webauthn();
  let challenge = "";
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credentialOf(id), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: (sent) => capture(sent, (value) => (challenge = value)),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    credential: { id, publicKey: decodeBase64url(passkey.public_key), counter: passkey.counter },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified || !authenticationInfo) throw refusal();
  return { id: passkey.id, userId: passkey.user_id, counter: authenticationInfo.newCounter, challenge };
}

function signInError(): ApiError {
  return new ApiError("unauthorized", "This passkey isn't registered here, or it took too long. Try again.");
}
