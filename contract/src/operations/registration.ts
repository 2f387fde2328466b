import Type from "typebox";
import { byId, fieldsOf, NextCursor } from "../fields.ts";
import { limits } from "../limits.ts";
import { paged, Reason } from "../moderation.ts";
import { adminsOnly, anyone, operation, peopleOnly } from "../operation.ts";
import { AnyInvitation, Invitation, Mode, SignUpChallenge, SignUpRequest } from "../registration.ts";
import { UserText } from "../resources.ts";
import { nullable, optional } from "../schema.ts";

const area = "Identity";
const decided = { username: UserText };

export const readRegistration = operation({
  name: "readRegistration",
  area,
  route: "GET /api/auth/registration",
  access: anyone,
  response: {
    mode: Mode,
    challenge: nullable(SignUpChallenge, {
      description:
        "A new challenge, if signing up with a password requires a proof of work; otherwise null. Send its solution as `proof`.",
    }),
    sendsEmail: Type.Boolean({
      description:
        "Whether the service sends email. If it doesn't, addresses can't be confirmed, passwords can't be reset, and there are no digests.",
      examples: [true],
    }),
  },
  exposure: "hidden",
  description: `Get who can sign up, what signing up requires, and whether the service sends email. A challenge is valid for ${limits.challengeMinutes} minutes and one sign-up.`,
});

export const createInvitation = operation({
  name: "createInvitation",
  area,
  route: "POST /api/invitations",
  access: peopleOnly,
  body: {
    uses: optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.invitationUses.admin,
        description: `How many people can sign up with it; 1 by default, at most ${limits.invitationUses.person} unless you are an admin.`,
        examples: [1],
      }),
    ),
    days: optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.invitationDays.max,
        description: `Days until it expires; ${limits.invitationDays.default} by default.`,
        examples: [7],
      }),
    ),
  },
  response: { invitation: Invitation },
  errors: ["registration_closed", "forbidden", "rate_limited"],
  description:
    "Create an invitation to sign up. Your account must be in good standing: old enough, and without a strike; the invitation works only as long as it is. Invitations are needed if the registration mode is `invitation`, and skip the wait if it is `approval`.",
});

export const listAllInvitations = operation({
  name: "listAllInvitations",
  area: "Moderation",
  route: "GET /api/admin/invitations",
  access: adminsOnly,
  query: { ...paged, fields: fieldsOf(AnyInvitation) },
  response: { invitations: Type.Array(AnyInvitation), nextCursor: NextCursor },
  description: "List everyone's invitations that haven't expired, latest first.",
});

export const listInvitations = operation({
  name: "listInvitations",
  area,
  route: "GET /api/invitations",
  access: peopleOnly,
  query: { fields: fieldsOf(Invitation) },
  response: { invitations: Type.Array(Invitation) },
  description: `List your invitations that haven't expired, latest first, at most ${limits.longList}.`,
});

export const revokeInvitation = operation({
  name: "revokeInvitation",
  area,
  route: "DELETE /api/invitations/{id}",
  access: peopleOnly,
  params: byId,
  response: { removed: Type.Literal(true) },
  errors: ["not_found"],
  whileSuspended: true,
  description: "Revoke your own invitation; admins can revoke anyone's. Accounts created with it stay.",
});

export const listSignUps = operation({
  name: "listSignUps",
  area: "Moderation",
  route: "GET /api/admin/signups",
  access: adminsOnly,
  query: { ...paged, fields: fieldsOf(SignUpRequest) },
  response: { requests: Type.Array(SignUpRequest), nextCursor: NextCursor },
  description: `List sign-ups that wait for approval, oldest first. After ${limits.signUpRequestDays} days without a decision, they are deleted.`,
});

export const approveSignUp = operation({
  name: "approveSignUp",
  area: "Moderation",
  route: "POST /api/admin/signups/{id}/approve",
  access: adminsOnly,
  params: byId,
  response: decided,
  errors: ["not_found", "email_taken", "username_taken"],
  description:
    "Approve a sign-up. This creates the account. The person gets an email if this server sends any.",
});

export const refuseSignUp = operation({
  name: "refuseSignUp",
  area: "Moderation",
  route: "POST /api/admin/signups/{id}/refuse",
  access: adminsOnly,
  params: byId,
  body: { reason: optional(nullable(Reason)) },
  response: decided,
  errors: ["not_found"],
  effect: "overwrites",
  description:
    "Refuse a sign-up. This deletes it, which frees its username and email address. The person gets an email, with the reason if you give one, provided that this server sends email. The audit log keeps the username and the reason.",
});
