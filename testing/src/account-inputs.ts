import { HOUR } from "@tandem/contract/durations";
import { tokenHash } from "@tandem/server/http/credential";
import type { TokenPurpose } from "@tandem/server/storage/schema/accounts";
import type { Storage } from "@tandem/server/storage/storage";
import { Secret, TOTP } from "otpauth";
import { Authenticator, type Site } from "./authenticator.ts";
import type { Person } from "./callers.ts";

/** Tokens that would be mailed or shown on a screen, with values known to tests. */
const planted = {
  confirm_email: "to-confirm-an-address",
  reset_password: "to-set-a-password",
  add_passkey: "dG8tYWRkLWEtcGFzc2tleQ",
  passkey_sign_in: "dG8tc2lnbi1pbi1ieS1pdA",
} as const;
const DIGEST_TOKEN = "to-end-a-digest";
/** The person's passkey, and one to be added. */
const [own, other] = [new Authenticator("b3duLXBhc3NrZXk"), new Authenticator("b3RoZXItcGFzc2tleQ")];
/** Too high to exist by chance. */
const PASSKEY = 1_000_001;
/** The id of a person's import that has ended; too high to exist by chance. */
const importOf = ({ user }: Person): number => 1_000_000 + user.id;
/** In base32. */
const secret = "NB2W45DFOIZANB2W45DFOIZA";

/** Gives a person the tokens, the passkey and the unconfirmed second factor that `accountInputs` uses. */
export async function plantSecrets(storage: Storage, person: Person, now: number): Promise<void> {
  const { user } = person;
  const owner = { user_id: user.id };
  await storage.write(async (tx) => {
    const digest = { every: "weekly", token: DIGEST_TOKEN, told_upto: 0, due_at: null } as const;
    await tx.deleteFrom("digests").where("token", "=", DIGEST_TOKEN).execute();
    await tx
      .insertInto("digests")
      .values({ ...owner, ...digest })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(digest))
      .execute();
    for (const [purpose, token] of Object.entries(planted) as [TokenPurpose, string][]) {
      const row = { ...owner, purpose, about: user.email, expires_at: now + HOUR };
      await tx
        .insertInto("tokens")
        .values({ hash: tokenHash(token), ...row })
        .onConflict((conflict) => conflict.column("hash").doUpdateSet(row))
        .execute();
    }
    await tx.deleteFrom("passkeys").where("credential", "in", [own.id, other.id]).execute();
    const about = { counter: 0, synced: 0, name: "My phone", created_at: now };
    const public_key = own.publicKey.toString("base64url");
    await tx
      .insertInto("passkeys")
      .values({ id: PASSKEY, ...owner, credential: own.id, public_key, ...about })
      .execute();
    await tx.deleteFrom("imports").where("id", "=", importOf(person)).execute();
    const counts = JSON.stringify([{ part: "follows", outcome: "not_found", count: 1 }]);
    const missing = JSON.stringify([{ part: "follows", name: "ada@social.example" }]);
    await tx
      .insertInto("imports")
      .values({
        ...{
          id: importOf(person),
          ...owner,
          platform: "mastodon",
          parts: "follows",
          state: "done",
          file: null,
        },
        ...{ done: 1, total: 1, counts, missing, created_at: now, finished_at: now, due_at: null },
      })
      .execute();
    await tx
      .insertInto("second_factors")
      .values({ ...owner, secret, confirmed_at: null })
      .onConflict((conflict) =>
        conflict.column("user_id").doUpdateSet({ secret, confirmed_at: null, last_step: 0 }),
      )
      .execute();
  });
}

/** The code that an authenticator app shows at this time, in milliseconds since 1970. */
export function codeAt(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
}

/** A list of followed accounts, as Mastodon exports it. */
export const followingList = new Blob([
  "Account address,Show boosts,Notify on new posts,Languages\nada@social.example,true,false,\n",
]);

/** Valid inputs of the account operations. */
export function accountInputs(person: Person, now: number, site: Site) {
  const { user, password } = person;
  // Reset, so that the result doesn't depend on earlier calls.
  own.counter = 0;
  return {
    listPasskeys: {},
    beginPasskey: { password },
    addPasskey: { ...other.make(site, planted.add_passkey), name: "My other phone" },
    renamePasskey: { id: PASSKEY, name: "My old phone" },
    removePasskey: { id: PASSKEY, password },
    beginPasskeySignIn: {},
    signInWithPasskey: own.prove(site, planted.passkey_sign_in),
    readSecurity: {},
    endAccess: { password },
    reauthenticate: { password },
    listSessions: {},
    endSession: { others: true },
    changePassword: { currentPassword: password, password },
    forgotPassword: { email: user.email },
    resetPassword: { token: planted.reset_password, password },
    changeEmail: { email: `new.${user.username}@example.org`, password },
    sendConfirmation: {},
    confirmEmail: { token: planted.confirm_email },
    beginTwoFactor: { password },
    confirmTwoFactor: { code: codeAt(secret, now) },
    endTwoFactor: { password },
    endDigest: { token: DIGEST_TOKEN },
    readExport: {},
    startExport: {},
    startImport: { platform: "mastodon" as const, file: followingList },
    listImports: {},
    listMissing: { id: importOf(person) },
    undoImport: { id: importOf(person) },
    deleteAccount: { password },
  };
}
