import { randomBytes } from "node:crypto";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { ApiError, invalid } from "../../http/api-error.ts";
import type { Context, Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { readUser } from "./accounts.queries.ts";
import { postMails } from "./mails.ts";
import {
  asPasskey,
  keepPasskey,
  noteUse,
  passkeyBy,
  passkeysOf,
  removeOwn,
  renameOwn,
} from "./passkeys.queries.ts";
import { requireOwner } from "./reauthentication.ts";
import { tellOfChange } from "./security.ts";
import { beginSession } from "./sessions.ts";
import { count, counted, forgive, nonceAttempt, passkeyAttempt } from "./throttle.ts";
import { keepToken, takeToken } from "./tokens.ts";

/** Loaded on first use: its X.509 parsers would slow down every start. */
const webauthn = () => import("@simplewebauthn/server");

/** Milliseconds in which a person has found the device. */
const PATIENCE = 300_000;
const UNNAMED = "Passkey";
/** What every device knows: ES256, EdDSA, RS256 (COSE). */
const ALGORITHMS = [-7, -8, -257];

export const passkeys = {
  listPasskeys: async (ctx) => ({ passkeys: (await passkeysOf(ctx.read, ctx.caller.userId)).map(asPasskey) }),
  async beginPasskey(ctx, { password }) {
    await requireOwner(ctx, password);
    const challenge = newChallenge();
    const options = await creationOptions(ctx, challenge);
    return ctx.write(async (tx) => {
      const ends = ctx.now + PATIENCE;
      await keepToken(tx, challenge, {
        purpose: "add_passkey",
        userId: ctx.caller.userId,
        about: null,
        ends,
      });
      return { options };
    });
  },
  async addPasskey(ctx, input) {
    const { challenge, passkey } = await judgeNew(ctx, input);
    return change(ctx, async (tx) => {
      const token = await takeToken(tx, "add_passkey", challenge, ctx.now);
      if (token?.userId !== ctx.caller.userId) throw notMade();
      return { passkey: await keepPasskey(tx, passkey) };
    });
  },
  renamePasskey: (ctx, { id, name }) =>
    ctx.write(async (tx) => ({ passkey: await renameOwn(tx, ctx.caller.userId, id, name) })),
  async removePasskey(ctx, { id, password }) {
    await requireOwner(ctx, password);
    return change(ctx, async (tx) => {
      await removeOwn(tx, ctx.caller.userId, id);
      return { removed: true };
    });
  },
  async beginPasskeySignIn(ctx) {
    const challenge = newChallenge();
    const { generateAuthenticationOptions } = await webauthn();
    const made = await generateAuthenticationOptions({
      rpID: siteOf(ctx).id,
      challenge: bytesOf(challenge),
      timeout: PATIENCE,
      userVerification: "required",
    });
    const options = {
      ...made,
      challenge,
      rpId: siteOf(ctx).id,
      timeout: PATIENCE,
      userVerification: "required",
    };
    return ctx.write(async (tx) => {
      await count(ctx, tx, nonceAttempt(ctx));
      const ends = ctx.now + PATIENCE;
      await keepToken(tx, challenge, { purpose: "passkey_sign_in", userId: null, about: null, ends });
      return { options };
    });
  },
  async signInWithPasskey(ctx, input) {
    const attempt = passkeyAttempt(ctx);
    const proof = await counted(ctx, attempt, () => judgeProof(ctx, input));
    await forgive(ctx, attempt);
    return ctx.write(async (tx) => {
      const token = await takeToken(tx, "passkey_sign_in", proof.challenge, ctx.now);
      if (!token || !(await noteUse(tx, proof.id, proof.counter, ctx.now))) throw notProved();
      return beginSession(ctx, tx, proof.userId);
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

/** Changes what opens the account, of which its owner is told. */
async function change<T extends object>(ctx: SignedIn, work: (tx: Db) => Promise<T>) {
  const answer = await ctx.write(async (tx) => {
    const done = await work(tx);
    await tellOfChange(ctx.services, tx, ctx.caller.userId, ctx.now);
    return done;
  });
  postMails(ctx.services);
  return answer;
}

/** Passkeys belong to the name by which the world reaches the service. */
function siteOf({ services }: Context): { id: string; origin: string } {
  const { hostname, origin } = new URL(services.baseUrl);
  return { id: hostname, origin };
}

function newChallenge(): string {
  return randomBytes(32).toString("base64url");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, "base64url"));
}

async function creationOptions(ctx: SignedIn, challenge: string) {
  const { read, caller } = ctx;
  const { username, displayName } = await readUser(read, caller.userId);
  const others = await passkeysOf(read, caller.userId);
  const selection = { residentKey: "required", userVerification: "required" } as const;
  const { generateRegistrationOptions } = await webauthn();
  const made = await generateRegistrationOptions({
    rpName: "Tandem",
    rpID: siteOf(ctx).id,
    userName: username,
    userID: Uint8Array.from(Buffer.from(String(caller.userId))),
    userDisplayName: displayName ?? username,
    challenge: bytesOf(challenge),
    timeout: PATIENCE,
    attestationType: "none",
    excludeCredentials: others.map(({ credential }) => ({ id: credential })),
    authenticatorSelection: selection,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  const { rp, user, pubKeyCredParams, excludeCredentials = [] } = made;
  return {
    ...{ challenge, user, pubKeyCredParams, excludeCredentials, timeout: PATIENCE, attestation: "none" },
    rp: { ...rp, id: siteOf(ctx).id },
    authenticatorSelection: selection,
  };
}

/** The passkey that a browser made, and the challenge that it was made for: whether that was ours, the transaction tells. */
async function judgeNew(ctx: SignedIn, input: Input<Operations["addPasskey"]>) {
  const { id, clientDataJSON, attestationObject, name } = input;
  const site = siteOf(ctx);
  const { verifyRegistrationResponse } = await webauthn();
  let challenge = "";
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...credentialOf(id), response: { clientDataJSON, attestationObject } },
    expectedChallenge: (sent) => noted(sent, (one) => (challenge = one)),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo || registrationInfo.credential.id !== id) throw notMade();
  const { credential, credentialBackedUp } = registrationInfo;
  const passkey = {
    user_id: ctx.caller.userId,
    credential: credential.id,
    public_key: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    synced: credentialBackedUp ? 1 : 0,
    name: name ?? UNNAMED,
    created_at: ctx.now,
  };
  return { challenge, passkey };
}

function credentialOf(id: string) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
}

/** Takes any challenge for now, and remembers it. */
function noted(challenge: string, note: (challenge: string) => void): boolean {
  note(challenge);
  return true;
}

function notMade(): ApiError {
  return invalid("clientDataJSON", "This passkey wasn't made for this, or took too long: begin it again.");
}

/** Whose passkey signed, and what. Throws `unauthorized`, whatever is wrong. */
async function judgeProof(ctx: Context, input: Input<Operations["signInWithPasskey"]>) {
  const { id, clientDataJSON, authenticatorData, signature } = input;
  const passkey = await passkeyBy(ctx.read, id);
  if (!passkey) throw notProved();
  const site = siteOf(ctx);
  const { verifyAuthenticationResponse } = await webauthn();
  let challenge = "";
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credentialOf(id), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: (sent) => noted(sent, (one) => (challenge = one)),
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    credential: { id, publicKey: bytesOf(passkey.public_key), counter: passkey.counter },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified || !authenticationInfo) throw notProved();
  return { id: passkey.id, userId: passkey.user_id, counter: authenticationInfo.newCounter, challenge };
}

function notProved(): ApiError {
  return new ApiError("unauthorized", "This passkey opens no account here, or it took too long.");
}
