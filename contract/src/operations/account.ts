import Type from "typebox";
import { DataExport, Security, Session } from "../account-resources.ts";
import { Code, Email, fieldsOf, NewPassword, Ok, OwnPassword } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, peopleOnly, sessionOnly } from "../operation.ts";
import { User } from "../resources.ts";
import { Id, nullable, optional, privateText } from "../schema.ts";

const area = "Account";
const Token = privateText(1, 200, {
  "x-code": "invalid_token",
  description: "From the link in the mail; it serves once.",
  examples: ["pLkD0cGmJm1Xw8yqfC2vYbTz"],
});
const Sent = Type.Boolean({
  description: "False where the service sends no mail, or there is nothing to confirm.",
  examples: [true],
});

export const readSecurity = operation({
  name: "readSecurity",
  area,
  route: "GET /api/users/me/security",
  access: peopleOnly,
  answer: { security: Security },
  description: "What keeps others out of the account.",
});

export const listSessions = operation({
  name: "listSessions",
  area,
  route: "GET /api/sessions",
  access: sessionOnly,
  query: { fields: fieldsOf(Session) },
  answer: { sessions: Type.Array(Session) },
  description:
    "Where the account is signed in, those included that act as agents of one's own; the last used first.",
});

export const endSession = operation({
  name: "endSession",
  area,
  route: "DELETE /api/sessions",
  access: sessionOnly,
  body: {
    id: optional(Id),
    others: optional(
      Type.Boolean({ description: "True for all but the session that asks.", examples: [true] }),
    ),
  },
  answer: { ended: Type.Literal(true) },
  errors: ["not_found"],
  whileSuspended: true,
  description: "Sign out elsewhere: one session by its `id`, or all `others`.",
});

export const changePassword = operation({
  name: "changePassword",
  area,
  route: "POST /api/users/me/password",
  access: peopleOnly,
  body: { currentPassword: OwnPassword, password: NewPassword },
  answer: { user: User },
  effect: "overwrites",
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description: "Set another password, or a first one. All other sessions end.",
});

export const forgotPassword = operation({
  name: "forgotPassword",
  area,
  route: "POST /api/auth/password/forgot",
  access: anyone,
  body: { email: Email },
  answer: { ok: Ok },
  errors: ["rate_limited"],
  tool: "none",
  description:
    "Have a link sent by which a new password can be set. The answer is the same, whether anybody has the address or not.",
});

export const resetPassword = operation({
  name: "resetPassword",
  area,
  route: "POST /api/auth/password/reset",
  access: anyone,
  body: { token: Token, password: NewPassword },
  answer: { ok: Ok },
  effect: "overwrites",
  errors: ["invalid_token", "rate_limited"],
  tool: "none",
  description: "Set a new password by the link that was sent. All sessions of the account end.",
});

export const changeEmail = operation({
  name: "changeEmail",
  area,
  route: "PATCH /api/users/me/email",
  access: peopleOnly,
  body: { email: Email, password: OwnPassword },
  answer: { sent: Sent },
  errors: ["email_taken", "forbidden", "rate_limited"],
  whileSuspended: true,
  description: "Ask for another address: it counts once the link that is sent there was followed.",
});

export const sendConfirmation = operation({
  name: "sendConfirmation",
  area,
  route: "POST /api/users/me/email/confirmation",
  access: peopleOnly,
  answer: { sent: Sent },
  errors: ["rate_limited"],
  whileSuspended: true,
  description: "Have the link sent once more that confirms the account's address.",
});

export const confirmEmail = operation({
  name: "confirmEmail",
  area,
  route: "POST /api/auth/email/confirm",
  access: anyone,
  body: { token: Token },
  answer: { ok: Ok },
  effect: "sets",
  errors: ["invalid_token", "email_taken", "rate_limited"],
  tool: "none",
  description: "Confirm an address by the link that was sent to it.",
});

export const beginTwoFactor = operation({
  name: "beginTwoFactor",
  area,
  route: "POST /api/users/me/two-factor",
  access: peopleOnly,
  body: { password: OwnPassword },
  answer: {
    secret: nullable(Type.String(), {
      description: "For the authenticator, in base32. It is shown this once.",
      examples: ["NB2W45DFOIZA…"],
      "x-secret": true,
    }),
    uri: nullable(Type.String(), {
      description: "The same for a QR code.",
      examples: ["otpauth://totp/…"],
      "x-secret": true,
    }),
  },
  effect: "sets",
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description:
    "Begin to protect signing in by codes of an authenticator (TOTP). It holds once a first code was sent.",
});

export const confirmTwoFactor = operation({
  name: "confirmTwoFactor",
  area,
  route: "POST /api/users/me/two-factor/confirm",
  access: peopleOnly,
  body: { code: Code, password: OwnPassword },
  answer: {
    recoveryCodes: nullable(Type.Array(Type.String()), {
      description: "Each serves once in place of a code. They are shown this once.",
      examples: [["…"]],
      "x-secret": true,
    }),
  },
  effect: "sets",
  errors: ["forbidden", "not_found", "rate_limited"],
  whileSuspended: true,
  description:
    "Send a first code of the authenticator: from now on signing in takes one. Where it does already, a code and the password give other recovery codes, and end those of before.",
});

export const endTwoFactor = operation({
  name: "endTwoFactor",
  area,
  route: "DELETE /api/users/me/two-factor",
  access: peopleOnly,
  body: { password: OwnPassword, code: optional(nullable(Code)) },
  answer: { twoFactor: Type.Literal(false) },
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description: "Let signing in do without codes again. Takes the password, and a code or recovery code.",
});

export const readExport = operation({
  name: "readExport",
  area,
  route: "GET /api/users/me/export",
  access: peopleOnly,
  answer: DataExport.properties,
  description: "How far the file with all of the account's data is.",
});

export const startExport = operation({
  name: "startExport",
  area,
  route: "POST /api/users/me/export",
  access: peopleOnly,
  answer: DataExport.properties,
  effect: "sets",
  errors: ["rate_limited"],
  whileSuspended: true,
  description: `Have all of the account's data put in one file, which is kept for ${limits.exportDays} days; one that is being made goes on.`,
});

export const deleteAccount = operation({
  name: "deleteAccount",
  area,
  route: "DELETE /api/users/me",
  access: peopleOnly,
  body: { password: OwnPassword },
  answer: { deleted: Type.Literal(true) },
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description:
    "Remove the account for good, with its agents, posts, media, keys and sessions. In others' threads its comments become empty places.",
});
