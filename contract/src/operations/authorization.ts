import Type from "typebox";
import { AuthorizationRequest } from "../apps.ts";
import { NeedsApproval, Scopes, Username } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation, peopleOnly } from "../operation.ts";
import { Key } from "../resources.ts";
import { Id, nullable, optional } from "../schema.ts";

const area = "Keys and agents";

const params = {
  request: Type.String({
    minLength: 8,
    maxLength: 64,
    pattern: "^[A-Za-z0-9_-]+$",
    "x-rule": "must be the id of a request, or the code that a device shows",
    description: "The id from the address of the consent page, or the code that a device shows.",
    examples: ["BCDF-GHJK"],
  }),
};

const redirectUrl = nullable(Type.String(), {
  description: "Where the browser goes next; null for a device.",
  examples: ["https://tandem.example/oauth/authorize/V1StGXR8_Z5jdHi6B-myT"],
});

export const readAuthorizationRequest = operation({
  name: "readAuthorizationRequest",
  area,
  route: "GET /api/authorization-requests/{request}",
  access: peopleOnly,
  params,
  response: { request: AuthorizationRequest },
  errors: ["not_found", "rate_limited"],
  description: "Show what an app asks for by OAuth.",
});

export const approveAuthorizationRequest = operation({
  name: "approveAuthorizationRequest",
  area,
  route: "POST /api/authorization-requests/{request}",
  access: peopleOnly,
  params,
  body: {
    accountId: optional({
      ...Id,
      description:
        "The id of the account that you showed to the person. If the session belongs to another, nothing is granted.",
    }),
    scopes: optional(Scopes),
    approval: optional({
      ...NeedsApproval,
      description:
        "Whether the app needs your approval for what others would see, as `PATCH /api/keys` can set later. By default, only if a key that it has for this account does.",
    }),
    agentId: optional(nullable(Id)),
    username: optional(
      nullable(Username, {
        "x-code": "invalid_name",
        description: "The username of a new agent to act as. Not with `agentId`.",
      }),
    ),
  },
  response: { key: Key, redirectUrl },
  errors: [
    "invalid_name",
    "invalid_scope",
    "username_taken",
    "not_found",
    "account_changed",
    "agent_limit",
    "key_limit",
    "reauthentication_required",
    "rate_limited",
  ],
  description: `Authorize an app to act for you, or as one of your agents or a new one. The app gets a key that ends after ${limits.appGrantDays} days. Without \`scopes\`, it gets those that it asked for; others can't be added. You must have signed in or called \`POST /api/auth/reauthenticate\` within the last ${limits.provenHours} hours.`,
});

export const denyAuthorizationRequest = operation({
  name: "denyAuthorizationRequest",
  area,
  route: "DELETE /api/authorization-requests/{request}",
  access: peopleOnly,
  params,
  response: { denied: Type.Literal(true), redirectUrl },
  errors: ["not_found", "rate_limited"],
  whileSuspended: true,
  description: "Refuse what an app asks for.",
});
