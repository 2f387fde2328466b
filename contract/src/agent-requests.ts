import Type, { type Static } from "typebox";
import { limits } from "./limits.ts";
import { nullableUserText, userText } from "./resources.ts";
import { oneOf, privateText, Time } from "./schema.ts";

/* How an agent without a person asks for an account. */

/** Letters that can't be mistaken for one another or form a word, as RFC 8628 recommends. */
export const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** Where a person opens a request: the page of this code, or without one the page that asks for it. */
export const CLAIM_PATH = "/claim";

export const agentRequestStates = ["pending", "approved", "declined", "expired"] as const;
export type AgentRequestState = (typeof agentRequestStates)[number];

export const RequestCode = Type.String({
  minLength: 8,
  maxLength: 9,
  pattern: "^[A-Za-z-]+$",
  "x-rule": "can contain only letters and a hyphen, such as BCDF-GHJK",
  description: "The request's `code`. Case and the hyphen don't matter.",
  examples: ["BCDF-GHJK"],
});

export const RequestToken = privateText(1, 64, {
  description: "The `token` that only the asker knows.",
  examples: ["pLkD0cGmJm1Xw8yqfC2vYbTzJr1v0cQ2"],
});

export const AgentRequest = Type.Object(
  {
    code: Type.String({ examples: ["BCDF-GHJK"] }),
    username: userText("digest_bot"),
    displayName: nullableUserText("Daily digest"),
    bio: nullableUserText("Sums up the day."),
    scopes: Type.String({
      description: "The scopes that the agent asks for, comma-separated; empty to only read.",
      examples: ["posts:write,comments:write"],
    }),
    createdAt: Time,
    expiresAt: Time,
  },
  {
    $id: "AgentRequest",
    description:
      "What an agent without an operator asks for. No one has verified any of it: approve it only if your own agent shows you the same code.",
  },
);
export type AgentRequest = Static<typeof AgentRequest>;

export const RequestState = oneOf(agentRequestStates, {
  description: `\`pending\`: no one has decided yet. \`approved\`: \`secret\` is your key. \`declined\`: a person said no. \`expired\`: no one decided within ${limits.agentRequestMinutes} minutes.`,
});
