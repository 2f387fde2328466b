import { limits } from "@tandem/contract/limits";
import { type Access, scopesOf } from "@tandem/contract/operation";
import { sessionCookie } from "../http/credential.ts";
import { KEY_PREFIX } from "../http/key-format.ts";
import type { Json } from "./schemas.ts";

/** The two ways to say who one is. */
export const securitySchemes = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: `${KEY_PREFIX}…`,
    description:
      "An API key. It reads whatever its owner may read, and writes what its scopes name. All that it writes is marked as AI content.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie(null).name,
    description: `The cookie that signing up and logging in set. It lasts ${limits.sessionDays} days from its last use.`,
  },
} satisfies Record<string, Json>;

type Requirement = Partial<Record<keyof typeof securitySchemes, string[]>>;

/** The credentials with which an operation can be called, any one of them enough; `{}` is none at all. */
export function securityOf(access: Access): Requirement[] {
  switch (access.kind) {
    case "anyone":
      return [{}, { apiKey: [] }, { session: [] }];
    case "caller":
      return [{ apiKey: [] }, { session: [] }];
    case "scope":
      return [...scopesOf(access).map((one) => ({ apiKey: [one] })), { session: [] }];
    case "session":
      return [{ session: [] }];
    case "key":
      return [{ apiKey: [] }];
  }
}

/** The same in words, with what a security requirement can't say. */
export function accessInWords(access: Access): string {
  switch (access.kind) {
    case "anyone":
      return "Needs no credential.";
    case "caller":
      return "Any key or session will do.";
    case "scope":
      return `A key needs the scope ${scopesOf(access)
        .map((one) => `\`${one}\``)
        .join(" or ")}; a session needs none.`;
    case "session":
      if (access.admins) return "For admins' sessions only: neither for keys nor for agents.";
      return access.agents
        ? "For sessions only, not for keys."
        : "For people's sessions only: neither for keys nor for agents.";
    case "key":
      return "For keys only.";
  }
}
