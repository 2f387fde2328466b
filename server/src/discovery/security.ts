import { limits } from "@tandem/contract/limits";
import { type Access, fieldScopesOf, type Operation, scopesOf } from "@tandem/contract/operation";
import { sessionCookie } from "../http/credential.ts";
import { KEY_PREFIX } from "../http/key-format.ts";
import type { Json } from "./schemas.ts";

/** The two kinds of credentials. */
export const securitySchemes = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: `${KEY_PREFIX}…`,
    description:
      "An API key, or an app's access token (OAuth 2.1; see `/.well-known/oauth-authorization-server`). It can read, and write what its scopes allow. Everything that it writes is marked as AI content.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie(null).name,
    description: `The cookie set by signing up and logging in. It expires ${limits.sessionDays} days after its last use.`,
  },
} satisfies Record<string, Json>;

type Requirement = Partial<Record<keyof typeof securitySchemes, string[]>>;

/** The alternative credentials for an operation; `{}` means none. */
export function securityOf(access: Access): Requirement[] {
  switch (access.kind) {
    case "anyone":
      return [{}, { apiKey: [] }, { session: [] }];
    case "caller":
      return [{ apiKey: [] }, { session: [] }];
    case "scope":
      return [...scopesOf(access).map((scope) => ({ apiKey: [scope] })), { session: [] }];
    case "session":
      return [{ session: [] }];
    case "key":
      return [{ apiKey: [] }];
  }
}

/** The same in words, with what a security requirement can't express. */
export function accessInWords(op: Operation): string {
  const ofFields = [...fieldScopesOf(op)].map(([name, scope]) => `\`${name}\` needs \`${scope}\``);
  const more = ofFields.length > 0 ? ` From a key, ${ofFields.join(", ")}.` : "";
  return `${kindInWords(op.access)}${more}`;
}

function kindInWords(access: Access): string {
  switch (access.kind) {
    case "anyone":
      return "No credential required.";
    case "caller":
      return "Requires a key or a session.";
    case "scope":
      return `A key requires the scope ${scopesOf(access)
        .map((scope) => `\`${scope}\``)
        .join(" or ")}; a session requires none.`;
    case "session":
      if (access.admins) return "Requires an admin's session; keys and agents are refused.";
      return access.agents
        ? "Requires a session; keys are refused."
        : "Requires a person's session; keys and agents are refused.";
    case "key":
      return "Requires a key; sessions are refused.";
  }
}
