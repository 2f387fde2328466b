import Type from "typebox";
import { Passkey, PasskeyCreation, PasskeyRequest } from "../account-resources.ts";
import { byId, fieldsOf, Ok, OwnPassword } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, peopleOnly } from "../operation.ts";
import { User } from "../resources.ts";
import { nullable, optional, privateText, publicLine } from "../schema.ts";

const area = "Account";
/** A binary field of `PublicKeyCredential.toJSON()`. */
const base64url = (max: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: max,
    pattern: "^[A-Za-z0-9_-]+$",
    "x-rule": "must be base64url",
    description,
    examples: ["bG9vbQ"],
  });
const CredentialId = base64url(1400, "The credential's `id`.");
const ClientData = base64url(4000, "Its `response.clientDataJSON`.");
const Name = publicLine(limits.passkeyName, { examples: ["My phone"] });

export const listPasskeys = operation({
  name: "listPasskeys",
  area,
  route: "GET /api/users/me/passkeys",
  access: peopleOnly,
  query: { fields: fieldsOf(Passkey) },
  response: { passkeys: Type.Array(Passkey) },
  description: "List the account's passkeys, newest first.",
});

export const beginPasskey = operation({
  name: "beginPasskey",
  area,
  route: "POST /api/users/me/passkeys/options",
  access: peopleOnly,
  body: { password: OwnPassword },
  response: { options: PasskeyCreation },
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description:
    "Get the options that a browser needs to create a passkey, for `PublicKeyCredential.parseCreationOptionsFromJSON`.",
});

export const addPasskey = operation({
  name: "addPasskey",
  area,
  route: "POST /api/users/me/passkeys",
  access: peopleOnly,
  body: {
    id: CredentialId,
    clientDataJSON: ClientData,
    attestationObject: base64url(20_000, "Its `response.attestationObject`."),
    name: optional(nullable(Name)),
  },
  response: { passkey: Passkey },
  errors: ["forbidden"],
  whileSuspended: true,
  description: `Add the passkey that the browser created: its \`id\` and the fields of its \`response\`, as returned by \`toJSON()\`. At most ${limits.passkeysPerAccount} per account.`,
});

export const renamePasskey = operation({
  name: "renamePasskey",
  area,
  route: "PATCH /api/users/me/passkeys",
  access: peopleOnly,
  body: { ...byId, name: Name },
  response: { passkey: Passkey },
  errors: ["not_found"],
  whileSuspended: true,
  description: "Rename a passkey.",
});

export const removePasskey = operation({
  name: "removePasskey",
  area,
  route: "DELETE /api/users/me/passkeys",
  access: peopleOnly,
  body: { ...byId, password: OwnPassword },
  response: { removed: Type.Literal(true) },
  errors: ["forbidden", "not_found", "rate_limited"],
  whileSuspended: true,
  description: "Remove a passkey. It can no longer be used to log in.",
});

export const beginPasskeySignIn = operation({
  name: "beginPasskeySignIn",
  area,
  route: "POST /api/auth/passkey/options",
  access: anyone,
  response: { options: PasskeyRequest },
  errors: ["rate_limited"],
  exposure: "hidden",
  description:
    "Get the options that a browser needs to log in with a passkey, for `PublicKeyCredential.parseRequestOptionsFromJSON`.",
});

export const signInWithPasskey = operation({
  name: "signInWithPasskey",
  area,
  route: "POST /api/auth/passkey",
  access: anyone,
  body: {
    id: CredentialId,
    clientDataJSON: ClientData,
    authenticatorData: base64url(4000, "Its `response.authenticatorData`."),
    signature: base64url(2000, "Its `response.signature`."),
  },
  response: { user: User },
  errors: ["unauthorized", "rate_limited"],
  exposure: "hidden",
  description:
    "Log in with a passkey: its `id` and the fields of its `response`, as returned by `toJSON()`. A passkey counts as two factors, so no code is required. Sets the session cookie.",
});

export const reauthenticate = operation({
  name: "reauthenticate",
  area,
  route: "POST /api/auth/reauthenticate",
  access: peopleOnly,
  body: {
    password: optional(
      nullable(privateText(1, limits.password.max, { examples: ["correct horse battery"] })),
    ),
    id: optional(nullable(CredentialId)),
    clientDataJSON: optional(nullable(ClientData)),
    authenticatorData: optional(nullable(base64url(4000, "Its `response.authenticatorData`."))),
    signature: optional(nullable(base64url(2000, "Its `response.signature`."))),
  },
  response: { ok: Ok },
  effect: "sets",
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description: `Prove who you are, in this session: with your password, or with a passkey as in \`POST /api/auth/passkey\`. Signing in does so too. Needed for keys and agents after ${limits.provenHours} hours, and for admin roles after ${limits.provenMinutes} minutes.`,
});
