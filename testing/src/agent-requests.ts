import { randomInt } from "node:crypto";
import { CODE_LETTERS } from "@tandem/contract/agent-requests";
import { HOUR } from "@tandem/contract/durations";
import { fingerprintOf } from "@tandem/server/features/keys/keys.queries";
import { tokenHash } from "@tandem/server/http/credential";
import { newKey } from "@tandem/server/http/key-format";
import type { Storage } from "@tandem/server/storage/storage";
import { uniqueName } from "./callers.ts";

/** The secrets of an agent's request that waits for a decision. */
export interface PlantedRequest {
  token: string;
  code: string;
}

/** For tests that need none. */
export const noAgentRequest: PlantedRequest = { token: "of-no-request", code: "BBBB-BBBB" };

/** Adds an agent's request that waits for a decision. */
export async function plantAgentRequest(
  storage: Storage,
  { now = Date.now(), code = randomCode(), token = uniqueName("token") } = {},
): Promise<PlantedRequest> {
  const { hash, hint } = fingerprintOf(newKey());
  await storage.write((tx) =>
    tx
      .insertInto("agent_requests")
      .values({
        token_hash: tokenHash(token),
        code_hash: tokenHash(code.replace("-", "")),
        ...{ username: "weekly_digest", display_name: "Weekly digest", bio: null, scopes: "posts:write" },
        ...{ salt: "salt", key_hash: hash, key_hint: hint },
        ...{ state: "pending", expires_at: now + HOUR, created_at: now },
      })
      .execute(),
  );
  return { code, token };
}

function randomCode(): string {
  const letters = Array.from({ length: 8 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]);
  return `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
}
