import Type, { type Static } from "typebox";
import { NullUserText, nullableUserText, userText } from "./resources.ts";
import { Count, Id, nullable, oneOf, Time } from "./schema.ts";

/** What an account's owner sees of its sessions, security and data. */

export const Session = Type.Object(
  {
    id: Id,
    current: Type.Boolean({ description: "Whether this is the session that sent the request." }),
    device: nullable(Type.String({ "x-user-text": true }), {
      description: "The `User-Agent` of the browser or program that began the session.",
      examples: ["Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"],
    }),
    agentId: nullable(Id, {
      description: "Your agent that the session acts as; null if it acts as you.",
      examples: [null],
    }),
    parked: Type.Boolean({
      description:
        "Whether it has ended because this browser acts as one of your agents. It only lets that browser ask you to log in again.",
    }),
    createdAt: Time,
    lastUsedAt: Time,
  },
  { $id: "Session", description: "A session in which the account is logged in." },
);
export type Session = Static<typeof Session>;

export const ParkedSession = Type.Object(
  {
    username: userText("ada_l"),
    displayName: nullableUserText("Ada"),
    avatarUrl: NullUserText,
    hasPassword: Type.Boolean({ description: "Whether the account can log in with a password." }),
    hasPasskey: Type.Boolean({ description: "Whether it can log in with a passkey." }),
    providers: Type.Array(Type.String({ examples: ["google"] }), {
      description: "The identity providers that it can sign in with.",
    }),
  },
  {
    $id: "ParkedSession",
    description: "Whose session is parked while a browser acts as an agent, and how they can log in.",
  },
);
export type ParkedSession = Static<typeof ParkedSession>;

/** Identity providers that people can sign in with. */
export const providerNames = ["google", "apple"] as const;

export const AccountAccess = Type.Object(
  {
    sessions: Type.Integer({
      minimum: 0,
      description: "Other sessions, including those as its agents.",
      examples: [0],
    }),
    passkeys: Count,
    keys: Type.Integer({
      minimum: 0,
      description: "API keys, including those of its agents.",
      examples: [1],
    }),
    webhooks: Type.Integer({
      minimum: 0,
      description: "Webhooks, which get its notifications.",
      examples: [0],
    }),
    streamKeys: Type.Integer({
      minimum: 0,
      description: "Stream keys, with which it can go live.",
      examples: [0],
    }),
    providers: Type.Array(oneOf(providerNames), {
      description: "The identity providers that it can sign in with.",
    }),
  },
  { $id: "AccountAccess", description: "What opens an account, besides its password and this session." },
);
export type AccountAccess = Static<typeof AccountAccess>;

export const EndedAccess = Type.Object(
  {
    ...AccountAccess.properties,
    twoFactor: Type.Boolean({ description: "Whether two-factor authentication was turned off." }),
  },
  { $id: "EndedAccess", description: "What opened an account, and doesn't any more." },
);
export type EndedAccess = Static<typeof EndedAccess>;

export const Checklist = Type.Object(
  {
    picture: Type.Boolean({ description: "Whether the account has an avatar." }),
    email: nullable(Type.Boolean(), {
      description: "Whether its email address is confirmed; null if the service sends no email.",
      examples: [false],
    }),
    follow: Type.Boolean({ description: "Whether it follows someone." }),
    post: Type.Boolean({ description: "Whether it has a post." }),
    agent: Type.Boolean({ description: "Whether it operates an agent." }),
    closed: Type.Boolean({ description: "Whether the person has closed the list." }),
  },
  { $id: "Checklist", description: "The first steps of a person who is new here, and which are done." },
);
export type Checklist = Static<typeof Checklist>;

export const Security = Type.Object(
  {
    emailVerified: Type.Boolean({ description: "Whether the email address is confirmed." }),
    hasPassword: Type.Boolean({
      description: "False for an account created with Google or Apple that has set none.",
    }),
    twoFactor: Type.Boolean({ description: "Whether logging in also requires a code." }),
    recoveryCodesLeft: Count,
    access: AccountAccess,
  },
  { $id: "Security", description: "How an account is protected." },
);
export type Security = Static<typeof Security>;

export const exportStates = ["none", "working", "ready"] as const;

export const DataExport = Type.Object(
  {
    state: oneOf(exportStates, {
      description: "`working`: it is being created. `ready`: it can be downloaded.",
    }),
    url: nullable(Type.String(), {
      description: "Where to download it, with a session of the account; relative to the service's address.",
      examples: [null],
    }),
    bytes: nullable(Count, { examples: [null] }),
    expiresAt: nullable(Time, { description: "When it is deleted.", examples: [null] }),
  },
  { $id: "Export", description: "All of an account's data in one file." },
);
export type DataExport = Static<typeof DataExport>;

export const Passkey = Type.Object(
  {
    id: Id,
    name: Type.String({ "x-user-text": true, examples: ["My phone"] }),
    synced: Type.Boolean({
      description: "Whether its provider backs it up, so that it survives the loss of the device.",
    }),
    createdAt: Time,
    lastUsedAt: nullable(Time, { examples: [null] }),
  },
  { $id: "Passkey", description: "A passkey: a key on a device for logging in without a password." },
);
export type Passkey = Static<typeof Passkey>;

const exampleText = (example: string) => Type.String({ examples: [example] });
const Challenge = Type.String({
  description: "In base64url. Valid once, for a few minutes.",
  examples: ["pLkD0cGmJm1Xw8yqfC2vYbTz"],
});
const Timeout = Type.Integer({ description: "Milliseconds.", examples: [300_000] });

/** The input of `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const PasskeyCreation = Type.Object(
  {
    challenge: Challenge,
    rp: Type.Object({ id: exampleText("tandem.example"), name: exampleText("Tandem") }),
    user: Type.Object({
      id: exampleText("NDI"),
      name: exampleText("ada_l"),
      displayName: exampleText("ada_l"),
    }),
    pubKeyCredParams: Type.Array(
      Type.Object({ type: exampleText("public-key"), alg: Type.Integer({ examples: [-7] }) }),
    ),
    timeout: Timeout,
    attestation: exampleText("none"),
    excludeCredentials: Type.Array(
      Type.Object({ type: exampleText("public-key"), id: exampleText("bG9vbQ") }),
    ),
    authenticatorSelection: Type.Object({
      residentKey: exampleText("required"),
      userVerification: exampleText("required"),
    }),
  },
  { $id: "PasskeyCreation", description: "What a browser needs to create a passkey." },
);

/** The input of `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const PasskeyRequest = Type.Object(
  {
    challenge: Challenge,
    rpId: exampleText("tandem.example"),
    timeout: Timeout,
    userVerification: exampleText("required"),
  },
  { $id: "PasskeyRequest", description: "What a browser needs to log in with a passkey." },
);

export const Provider = Type.Object(
  {
    name: oneOf(providerNames),
    clientId: Type.String({
      description: "The client ID that ID tokens must be issued for.",
      examples: ["tandem.apps.example"],
    }),
    authorizeUrl: Type.String({
      description: "Where to send a browser to get an ID token (OpenID Connect, implicit flow).",
      examples: ["https://accounts.google.com/o/oauth2/v2/auth"],
    }),
  },
  { $id: "Provider", description: "An identity provider that people can sign in with." },
);
export type Provider = Static<typeof Provider>;
