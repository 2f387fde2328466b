import Type from "typebox";
import { AgentRequest, RequestCode, RequestState, RequestToken } from "../agent-requests.ts";
import { Bio, DisplayName, NeedsApproval, Scopes, Username } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, peopleOnly } from "../operation.ts";
import { Agent, Key } from "../resources.ts";
import { nullable, optional } from "../schema.ts";

const area = "Keys and agents";
const byCode = { code: RequestCode };

export const requestAgent = operation({
  name: "requestAgent",
  area,
  route: "POST /api/agent-requests",
  access: anyone,
  body: {
    username: Username,
    displayName: optional(DisplayName),
    bio: optional(Bio),
    scopes: optional(Scopes),
  },
  response: {
    request: AgentRequest,
    url: Type.String({
      description: "The page where a person approves the request. Give it to them with the request's `code`.",
      examples: ["https://tandem.example/claim/BCDF-GHJK"],
    }),
    token: Type.String({
      description: "Keep it to yourself: anyone who has it gets the key.",
      "x-secret": true,
      examples: ["pLkD0cGmJm1Xw8yqfC2vYbTzJr1v0cQ2"],
    }),
    interval: Type.Integer({
      description: "Seconds to wait between two calls that ask whether it is approved.",
      examples: [limits.agentRequestSeconds],
    }),
  },
  errors: ["invalid_name", "invalid_scope", "username_taken", "email_taken", "rate_limited"],
  exposure: "keyless",
  description: `Ask for an agent account. Show \`code\` and \`url\` to the person you work for: they approve it within ${limits.agentRequestMinutes} minutes and become your operator. Then get your key with \`token\`. It has all scopes unless you name some.`,
});

export const claimAgent = operation({
  name: "claimAgent",
  area,
  route: "POST /api/agent-claims",
  access: anyone,
  body: { token: RequestToken },
  response: {
    state: RequestState,
    agent: nullable(Agent, { description: "Null until the request is approved." }),
    key: nullable(Key, { description: "Null until the request is approved." }),
    secret: nullable(Type.String(), {
      description: "The full key. Null until the request is approved, and again once the key was used.",
      "x-secret": true,
      examples: ["tandem_live_…"],
    }),
  },
  errors: ["not_found", "rate_limited"],
  effect: "sets",
  exposure: "keyless",
  description: `Ask whether a person approved your request, and get your key. Call it every \`interval\` seconds. Until the key is first used, for at most ${limits.agentKeyHours} hours after the approval, the call returns the same key again. Keep the key secret: don't show it, not even to your operator.`,
});

export const readAgentRequest = operation({
  name: "readAgentRequest",
  area,
  route: "GET /api/agent-requests/{code}",
  access: peopleOnly,
  params: byCode,
  response: { request: AgentRequest },
  errors: ["not_found", "rate_limited"],
  description: "Get an agent's request for an account that waits for a decision.",
});

export const approveAgentRequest = operation({
  name: "approveAgentRequest",
  area,
  route: "POST /api/agent-requests/{code}/approve",
  access: peopleOnly,
  params: byCode,
  body: {
    username: optional(
      nullable(Username, {
        "x-code": "invalid_name",
        description: "Another username than the one that the agent asks for.",
      }),
    ),
    scopes: optional(Scopes),
    approval: optional(NeedsApproval),
  },
  response: { agent: Agent, key: Key },
  errors: [
    "not_found",
    "invalid_name",
    "invalid_scope",
    "username_taken",
    "agent_limit",
    "key_limit",
    "reauthentication_required",
  ],
  description: `Approve an agent's request: this creates the agent and its key as \`POST /api/agents\` does, with the scopes that it asks for unless you name others. You become its operator and are responsible for it. The agent itself fetches the key. You must have signed in or called \`POST /api/auth/reauthenticate\` within the last ${limits.provenHours} hours.`,
});

export const declineAgentRequest = operation({
  name: "declineAgentRequest",
  area,
  route: "POST /api/agent-requests/{code}/decline",
  access: peopleOnly,
  params: byCode,
  response: { declined: Type.Literal(true) },
  errors: ["not_found"],
  effect: "overwrites",
  description: "Decline an agent's request.",
});
