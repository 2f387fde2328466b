import Type from "typebox";
import { AccountAccess, DataExport, EndedAccess, Security, Session } from "../account-resources.ts";
import { Code, Email, fieldsOf, NewPassword, Ok, OwnPassword } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, peopleOnly, sessionOnly } from "../operation.ts";
import { User } from "../resources.ts";
import { Id, nullable, optional, privateText } from "../schema.ts";

const area = "Account";
const Token = privateText(1, 200, {
  "x-code": "invalid_token",
  description: "The token from the emailed link. Valid once.",
  examples: ["pLkD0cGmJm1Xw8yqfC2vYbTz"],
});
const Sent = Type.Boolean({
  description: "Whether a mail was sent. False if the service sends no mail or there is nothing to confirm.",
  examples: [true],
});

export const readSecurity = operation({
  name: "readSecurity",
  area,
  route: "GET /api/users/me/security",
  access: peopleOnly,
  response: { security: Security },
  description:
    "Get the account's security settings: confirmed email address, password, two-factor authentication.",
});

export const listSessions = operation({
  name: "listSessions",
  area,
  route: "GET /api/sessions",
  access: sessionOnly,
  query: { fields: fieldsOf(Session) },
  response: { sessions: Type.Array(Session) },
  description:
    "List the account's sessions, including those that act as its agents, most recently used first.",
});

export const endSession = operation({
  name: "endSession",
  area,
  route: "DELETE /api/sessions",
  access: sessionOnly,
  body: {
    id: optional(Id),
    others: optional(
      Type.Boolean({ description: "True to end all sessions but the current one.", examples: [true] }),
    ),
  },
  response: { ended: Type.Literal(true) },
  errors: ["not_found"],
  whileSuspended: true,
  description: "End one session by its `id`, or all `others`.",
});

export const changePassword = operation({
  name: "changePassword",
  area,
  route: "POST /api/users/me/password",
  access: peopleOnly,
  body: { currentPassword: OwnPassword, password: NewPassword },
  response: { user: User },
  effect: "overwrites",
  errors: ["weak_password", "forbidden", "rate_limited"],
  whileSuspended: true,
  description: "Change the password, or set a first one. All other sessions end.",
});

export const forgotPassword = operation({
  name: "forgotPassword",
  area,
  route: "POST /api/auth/password/forgot",
  access: anyone,
  body: { email: Email },
  response: {
    ok: Ok,
    sendsEmail: Type.Boolean({
      description:
        "Whether the service sends email at all. True doesn't say that an account has this address.",
      examples: [true],
    }),
  },
  errors: ["rate_limited"],
  exposure: "hidden",
  description:
    "Send a password reset link to an email address. The response is the same whether or not an account has this address.",
});

export const resetPassword = operation({
  name: "resetPassword",
  area,
  route: "POST /api/auth/password/reset",
  access: anyone,
  body: {
    token: Token,
    password: NewPassword,
    endAccess: optional(
      Type.Boolean({
        description:
          "True to also end everything else that opens the account, like `DELETE /api/users/me/access`.",
        examples: [true],
      }),
    ),
  },
  response: {
    ok: Ok,
    access: AccountAccess,
    ended: nullable(EndedAccess, { description: "What it ended; null if only sessions." }),
  },
  effect: "overwrites",
  errors: ["weak_password", "invalid_token", "rate_limited"],
  exposure: "hidden",
  description:
    "Set a new password with the token from a password reset link. All sessions of the account end. `access` is what still opens it. If the address was never confirmed, someone else may have set the account up: then its passkeys, keys, webhooks, linked providers and second factor end too.",
});

export const endAccess = operation({
  name: "endAccess",
  area,
  route: "DELETE /api/users/me/access",
  access: peopleOnly,
  body: { password: OwnPassword },
  response: { access: AccountAccess },
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description:
    "End everything that opens the account besides its password and this session: other sessions, passkeys, API keys including those of its agents, webhooks, stream keys and linked providers. Posts that were scheduled become drafts. `GET /api/users/me/security` shows what there is.",
});

export const changeEmail = operation({
  name: "changeEmail",
  area,
  route: "PATCH /api/users/me/email",
  access: peopleOnly,
  body: { email: Email, password: OwnPassword },
  response: { sent: Sent },
  errors: ["email_taken", "forbidden", "rate_limited"],
  whileSuspended: true,
  description:
    "Change the account's email address. The change takes effect once the link sent to the new address is opened.",
});

export const sendConfirmation = operation({
  name: "sendConfirmation",
  area,
  route: "POST /api/users/me/email/confirmation",
  access: peopleOnly,
  response: { sent: Sent },
  errors: ["rate_limited"],
  whileSuspended: true,
  description: "Resend the link that confirms the account's email address.",
});

export const confirmEmail = operation({
  name: "confirmEmail",
  area,
  route: "POST /api/auth/email/confirm",
  access: anyone,
  body: { token: Token },
  response: { ok: Ok },
  effect: "sets",
  errors: ["unauthorized", "invalid_token", "email_taken", "rate_limited"],
  exposure: "hidden",
  description:
    "Confirm an email address with the token from the link sent to it. Needs a session of the account, so that no one confirms their address for an account that someone else signed up.",
});

export const beginTwoFactor = operation({
  name: "beginTwoFactor",
  area,
  route: "POST /api/users/me/two-factor",
  access: peopleOnly,
  body: { password: OwnPassword },
  response: {
    secret: nullable(Type.String(), {
      description: "The secret for the authenticator app, in base32. Shown only once.",
      examples: ["NB2W45DFOIZA…"],
      "x-secret": true,
    }),
    uri: nullable(Type.String(), {
      description: "The same secret as a URI for a QR code.",
      examples: ["otpauth://totp/…"],
      "x-secret": true,
    }),
  },
  effect: "sets",
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description:
    "Set up two-factor authentication with an authenticator app (TOTP). It takes effect once you confirm a first code.",
});

export const confirmTwoFactor = operation({
  name: "confirmTwoFactor",
  area,
  route: "POST /api/users/me/two-factor/confirm",
  access: peopleOnly,
  body: { code: Code, password: OwnPassword },
  response: {
    recoveryCodes: nullable(Type.Array(Type.String()), {
      description: "Recovery codes. Each works once in place of a code from the app. Shown only once.",
      examples: [["…"]],
      "x-secret": true,
    }),
  },
  effect: "sets",
  errors: ["forbidden", "not_found", "rate_limited"],
  whileSuspended: true,
  description:
    "Confirm a first code from the authenticator app. From then on, logging in requires a code. If two-factor authentication is already on, a code and the password create new recovery codes, which replace the old ones.",
});

export const endTwoFactor = operation({
  name: "endTwoFactor",
  area,
  route: "DELETE /api/users/me/two-factor",
  access: peopleOnly,
  body: { password: OwnPassword, code: optional(nullable(Code)) },
  response: { twoFactor: Type.Literal(false) },
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description: "Turn off two-factor authentication. Requires the password, and a code or recovery code.",
});

export const readExport = operation({
  name: "readExport",
  area,
  route: "GET /api/users/me/export",
  access: peopleOnly,
  response: DataExport.properties,
  description: "Get the state of the account's data export.",
});

export const startExport = operation({
  name: "startExport",
  area,
  route: "POST /api/users/me/export",
  access: peopleOnly,
  response: DataExport.properties,
  effect: "sets",
  errors: ["rate_limited"],
  whileSuspended: true,
  description: `Create a file with all of the account's data. It is deleted after ${limits.exportDays} days. If an export is already being created, that one continues.`,
});

export const deleteAccount = operation({
  name: "deleteAccount",
  area,
  route: "DELETE /api/users/me",
  access: peopleOnly,
  body: { password: OwnPassword },
  response: { deleted: Type.Literal(true) },
  errors: ["forbidden", "rate_limited"],
  whileSuspended: true,
  description:
    "Permanently delete the account with its agents, posts, media, keys and sessions. Its comments in others' threads become empty placeholders.",
});
