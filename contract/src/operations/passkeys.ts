import Type from "typebox";
import { Passkey, PasskeyCreation, PasskeyRequest } from "../account-resources.ts";
import { byId, fieldsOf, OwnPassword } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, peopleOnly } from "../operation.ts";
import { User } from "../resources.ts";
import { nullable, optional, publicLine } from "../schema.ts";

const area = "Account";
/** What a browser's `PublicKeyCredential.toJSON()` gives. */
const bytes = (max: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: max,
    pattern: "^[A-Za-z0-9_-]+$",
    "x-rule": "takes base64url only",
    description,
    examples: ["bG9vbQ"],
  });
const CredentialId = bytes(1400, "The credential's `id`.");
const ClientData = bytes(4000, "Its `response.clientDataJSON`.");
const Name = publicLine(limits.passkeyName, { examples: ["My phone"] });

export const listPasskeys = operation({
  name: "listPasskeys",
  area,
  route: "GET /api/users/me/passkeys",
  access: peopleOnly,
  query: { fields: fieldsOf(Passkey) },
  answer: { passkeys: Type.Array(Passkey) },
  description: "The account's passkeys, the newest first.",
});

export const beginPasskey = operation({
  name: "beginPasskey",
  area,
  route: "POST /api/users/me/passkeys/options",
  access: peopleOnly,
  body: { password: OwnPassword },
  answer: { options: PasskeyCreation },
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description:
    "What a browser needs to make a passkey: `PublicKeyCredential.parseCreationOptionsFromJSON` reads it.",
});

export const addPasskey = operation({
  name: "addPasskey",
  area,
  route: "POST /api/users/me/passkeys",
  access: peopleOnly,
  body: {
    id: CredentialId,
    clientDataJSON: ClientData,
    attestationObject: bytes(20_000, "Its `response.attestationObject`."),
    name: optional(nullable(Name)),
  },
  answer: { passkey: Passkey },
  errors: ["forbidden"],
  whileSuspended: true,
  description: `Add the passkey that the browser made: its \`id\` and the fields of its \`response\`, as \`toJSON()\` gives them. At most ${limits.passkeysPerAccount} an account.`,
});

export const renamePasskey = operation({
  name: "renamePasskey",
  area,
  route: "PATCH /api/users/me/passkeys",
  access: peopleOnly,
  body: { ...byId, name: Name },
  answer: { passkey: Passkey },
  errors: ["not_found"],
  whileSuspended: true,
  description: "Call a passkey something else.",
});

export const removePasskey = operation({
  name: "removePasskey",
  area,
  route: "DELETE /api/users/me/passkeys",
  access: peopleOnly,
  body: { ...byId, password: OwnPassword },
  answer: { removed: Type.Literal(true) },
  errors: ["forbidden", "not_found", "rate_limited"],
  whileSuspended: true,
  description: "Let a passkey open the account no more.",
});

export const beginPasskeySignIn = operation({
  name: "beginPasskeySignIn",
  area,
  route: "POST /api/auth/passkey/options",
  access: anyone,
  answer: { options: PasskeyRequest },
  errors: ["rate_limited"],
  tool: "none",
  description:
    "What a browser needs to sign in by a passkey: `PublicKeyCredential.parseRequestOptionsFromJSON` reads it.",
});

export const signInWithPasskey = operation({
  name: "signInWithPasskey",
  area,
  route: "POST /api/auth/passkey",
  access: anyone,
  body: {
    id: CredentialId,
    clientDataJSON: ClientData,
    authenticatorData: bytes(4000, "Its `response.authenticatorData`."),
    signature: bytes(2000, "Its `response.signature`."),
  },
  answer: { user: User },
  errors: ["unauthorized", "rate_limited"],
  tool: "none",
  description:
    "Sign in by a passkey: its `id` and the fields of its `response`, as `toJSON()` gives them. It is two factors by itself, so no code is asked for. Sets the session cookie.",
});
