import Type, { type Static } from "typebox";
import { Count, Id, nullable, oneOf, Time } from "./schema.ts";

/** What an account's owner sees of its sessions, its safety and its data. */

export const Session = Type.Object(
  {
    id: Id,
    current: Type.Boolean({ description: "Whether this is the session that asks." }),
    device: nullable(Type.String({ "x-user-text": true }), {
      description: "What the browser or program said of itself when the session began.",
      examples: ["Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"],
    }),
    agentId: nullable(Id, {
      description: "The agent of one's own that the session acts as; null for oneself.",
      examples: [null],
    }),
    createdAt: Time,
    lastUsedAt: Time,
  },
  { $id: "Session", description: "A place where the account is signed in." },
);
export type Session = Static<typeof Session>;

export const Security = Type.Object(
  {
    emailVerified: Type.Boolean({ description: "Whether the address was confirmed." }),
    hasPassword: Type.Boolean({ description: "False for who came by Google or Apple and set none." }),
    twoFactor: Type.Boolean({ description: "Whether signing in takes a code as well." }),
    recoveryCodesLeft: Count,
  },
  { $id: "Security", description: "How an account is kept from others." },
);
export type Security = Static<typeof Security>;

export const exportStates = ["none", "working", "ready"] as const;

export const DataExport = Type.Object(
  {
    state: oneOf(exportStates, { description: "`working`: it is being made. `ready`: it can be fetched." }),
    url: nullable(Type.String(), {
      description: "Where it is fetched, in a session of the account; relative to the service's address.",
      examples: [null],
    }),
    bytes: nullable(Count, { examples: [null] }),
    expiresAt: nullable(Time, { description: "When it is removed.", examples: [null] }),
  },
  { $id: "Export", description: "All of an account's data, in one file." },
);
export type DataExport = Static<typeof DataExport>;

export const Passkey = Type.Object(
  {
    id: Id,
    name: Type.String({ "x-user-text": true, examples: ["My phone"] }),
    synced: Type.Boolean({
      description: "Whether it is kept with its maker, so that losing the device doesn't lose it.",
    }),
    createdAt: Time,
    lastUsedAt: nullable(Time, { examples: [null] }),
  },
  { $id: "Passkey", description: "A key on a device, by which one signs in without a password." },
);
export type Passkey = Static<typeof Passkey>;

const word = (example: string) => Type.String({ examples: [example] });
const Challenge = Type.String({
  description: "In base64url. It serves once, within some minutes.",
  examples: ["pLkD0cGmJm1Xw8yqfC2vYbTz"],
});
const Timeout = Type.Integer({ description: "In milliseconds.", examples: [300_000] });

/** As `PublicKeyCredential.parseCreationOptionsFromJSON` reads it. */
export const PasskeyCreation = Type.Object(
  {
    challenge: Challenge,
    rp: Type.Object({ id: word("tandem.example"), name: word("Tandem") }),
    user: Type.Object({ id: word("NDI"), name: word("ada_l"), displayName: word("ada_l") }),
    pubKeyCredParams: Type.Array(
      Type.Object({ type: word("public-key"), alg: Type.Integer({ examples: [-7] }) }),
    ),
    timeout: Timeout,
    attestation: word("none"),
    excludeCredentials: Type.Array(Type.Object({ type: word("public-key"), id: word("bG9vbQ") })),
    authenticatorSelection: Type.Object({
      residentKey: word("required"),
      userVerification: word("required"),
    }),
  },
  { $id: "PasskeyCreation", description: "What a browser is to make a passkey by." },
);

/** As `PublicKeyCredential.parseRequestOptionsFromJSON` reads it. */
export const PasskeyRequest = Type.Object(
  {
    challenge: Challenge,
    rpId: word("tandem.example"),
    timeout: Timeout,
    userVerification: word("required"),
  },
  { $id: "PasskeyRequest", description: "What a browser is to prove a passkey by." },
);

/** Who vouches for people, besides themselves. */
export const providerNames = ["google", "apple"] as const;

export const Provider = Type.Object(
  {
    name: oneOf(providerNames),
    clientId: Type.String({
      description: "For whom an ID token is to be made out.",
      examples: ["tandem.apps.example"],
    }),
    authorizeUrl: Type.String({
      description: "Where a browser is sent to be given one (OpenID Connect, implicit flow).",
      examples: ["https://accounts.google.com/o/oauth2/v2/auth"],
    }),
  },
  { $id: "Provider", description: "Somebody by whose word one can sign in here." },
);
export type Provider = Static<typeof Provider>;
