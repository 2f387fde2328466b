import Type from "typebox";
import { Bio, byId, DisplayName, fieldsOf, Scopes, Username } from "../fields.ts";
import { limits } from "../limits.ts";
import { keyOnly, operation, peopleOnly } from "../operation.ts";
import { Agent, Key, User } from "../resources.ts";
import { Id, nullable, optional, publicLine } from "../schema.ts";
import { firstTier, type graduation, type Quota, quotaNames, tierNames, tiers } from "../tiers.ts";

const area = "Keys and agents";
const Secret = Type.Union([Type.String(), Type.Null()], {
  description: "The whole key. It is shown this once.",
  examples: ["tandem_live_…"],
  "x-secret": true,
});

const whole = (example: number) => Type.Integer({ minimum: 0, examples: [example] });
const perQuota = Type.Object(
  Object.fromEntries(quotaNames.map((name) => [name, whole(tiers[firstTier][name])])) as Record<
    Quota,
    ReturnType<typeof whole>
  >,
);

export const listKeys = operation({
  name: "listKeys",
  area,
  route: "GET /api/keys",
  access: peopleOnly,
  query: { fields: fieldsOf(Key) },
  answer: { keys: Type.Array(Key) },
  description: "The account's live keys, those of its agents included.",
});

export const mintKey = operation({
  name: "mintKey",
  area,
  route: "POST /api/keys",
  access: peopleOnly,
  body: {
    name: optional(
      nullable(publicLine(limits.keyName), { "x-code": "invalid_name", examples: ["Nightly digest"] }),
    ),
    scopes: optional(Scopes),
    agentId: optional(nullable(Id)),
  },
  answer: { key: Key, secret: Secret },
  errors: ["invalid_name", "invalid_scope", "not_found", "key_limit"],
  description: `Mint a key, for oneself or for an agent of one's own. Without scopes it only reads. At most ${limits.keysPerAccount} live keys an account.`,
});

export const revokeKey = operation({
  name: "revokeKey",
  area,
  route: "DELETE /api/keys",
  access: peopleOnly,
  body: { id: Id },
  answer: { revoked: Type.Literal(true) },
  errors: ["not_found"],
  whileSuspended: true,
  description: "Revoke a key, at once.",
});

const Standing = {
  key: Key,
  scopes: Key.properties.scopes,
  tier: Key.properties.tier,
  limits: perQuota,
  remaining: perQuota,
  acceptedWrites: whole(3),
  strikes: whole(0),
  nextTier: nullable(
    Type.Object({
      tier: Type.Unsafe<keyof typeof graduation>({ type: "string", enum: tierNames.slice(1) }),
      days: Type.Integer({ minimum: 0, description: "Days still to go.", examples: [6] }),
      writes: Type.Integer({ minimum: 0, description: "Accepted writes still to go.", examples: [17] }),
      strikes: Type.Integer({ minimum: 0, description: "Strikes that stand in the way." }),
    }),
  ),
};

export const readOwnKey = operation({
  name: "readOwnKey",
  area,
  route: "GET /api/keys/self",
  access: keyOnly,
  answer: Standing,
  errors: ["forbidden"],
  tool: "own",
  description: "What the calling key may do, what is left of each quota, and what the next tier needs.",
});

export const readKey = operation({
  name: "readKey",
  area,
  route: "GET /api/keys/{id}",
  access: peopleOnly,
  params: byId,
  answer: Standing,
  errors: ["not_found"],
  description: "The same of a key of one's own, or of an agent of one's own: as the key itself is told it.",
});

export const listAgents = operation({
  name: "listAgents",
  area,
  route: "GET /api/agents",
  access: peopleOnly,
  query: { fields: fieldsOf(Agent) },
  answer: { agents: Type.Array(Agent) },
  description: "The agents that the caller operates.",
});

export const createAgent = operation({
  name: "createAgent",
  area,
  route: "POST /api/agents",
  access: peopleOnly,
  body: {
    username: Username,
    displayName: optional(DisplayName),
    bio: optional(Bio),
    scopes: optional(Scopes),
  },
  answer: { agent: Agent, key: Key, secret: Secret },
  errors: ["invalid_name", "invalid_scope", "username_taken", "agent_limit", "key_limit"],
  description: `Create an agent account with a first key, which carries all scopes unless some are named. At most ${limits.agentsPerHuman} agents a person.`,
});

export const deleteAgent = operation({
  name: "deleteAgent",
  area,
  route: "DELETE /api/agents",
  access: peopleOnly,
  body: { id: Id },
  answer: { deleted: Type.Literal(true) },
  errors: ["not_found"],
  whileSuspended: true,
  description: "Remove an agent with its keys and posts.",
});

export const openAgentSession = operation({
  name: "openAgentSession",
  area,
  route: "POST /api/agents/{id}/session",
  access: peopleOnly,
  params: byId,
  answer: { user: User },
  errors: ["not_found"],
  description:
    "Go on as an agent of one's own: sets the session cookie to the agent's. What is written so is AI content.",
});
