import { tokenHash } from "@tandem/server/http/credential";
import type { TokenPurpose } from "@tandem/server/storage/schema/accounts";
import type { Storage } from "@tandem/server/storage/storage";
import { Secret, TOTP } from "otpauth";
import { Authenticator, type Site } from "./authenticator.ts";
import type { Person } from "./callers.ts";

/** What would come by mail, or stand on a screen: known to tests, and planted for whoever is to use it. */
const planted = {
  confirm_email: "to-confirm-an-address",
  reset_password: "to-set-a-password",
  add_passkey: "dG8tYWRkLWEtcGFzc2tleQ",
  passkey_sign_in: "dG8tc2lnbi1pbi1ieS1pdA",
} as const;
/** A passkey that the person has, and one that is yet to be added. */
const [own, other] = [new Authenticator("b3duLXBhc3NrZXk"), new Authenticator("b3RoZXItcGFzc2tleQ")];
/** So high that nobody has it by chance. */
const PASSKEY = 1_000_001;
/** In base32. */
const secret = "NB2W45DFOIZANB2W45DFOIZA";

/** Gives a person the tokens and the unconfirmed second factor that `accountInputs` speaks of. */
export async function plantSecrets(storage: Storage, { user }: Person, now: number): Promise<void> {
  const owner = { user_id: user.id };
  await storage.write(async (tx) => {
    for (const [purpose, token] of Object.entries(planted) as [TokenPurpose, string][]) {
      const row = { ...owner, purpose, about: user.email, expires_at: now + 3_600_000 };
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
    await tx
      .insertInto("second_factors")
      .values({ ...owner, secret, confirmed_at: null })
      .onConflict((conflict) =>
        conflict.column("user_id").doUpdateSet({ secret, confirmed_at: null, last_step: 0 }),
      )
      .execute();
  });
}

/** What an authenticator with this secret shows at this time, in milliseconds since 1970. */
export function codeAt(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
}

/** Good inputs of the operations of an account. */
export function accountInputs({ user, password }: Person, now: number, site: Site) {
  // As planted, it was never used: what it says here is the same, whoever asked before.
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
    readExport: {},
    startExport: {},
    deleteAccount: { password },
  };
}
