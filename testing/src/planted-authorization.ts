import { randomBytes } from "node:crypto";
import { storeRecord } from "@tandem/server/features/oauth/records.queries";
import type { Storage } from "@tandem/server/storage/storage";

const website = {
  app: { name: "Loom reader", host: "app.example", isVerified: true },
  receiver: "website",
  redirectHost: "app.example",
};

/** Stores an app's request for access, as if it had begun in a browser, and returns its id. */
export async function plantAuthorizationRequest(
  storage: Storage,
  details: object = website,
  id = randomBytes(32).toString("base64url"),
): Promise<string> {
  const payload = {
    params: { client_id: "https://app.example/oauth.json", scope: "read posts:write" },
    details,
    returnTo: `https://tandem.example/oauth/authorize/${id}`,
  };
  const expiresAt = Date.parse("9999-01-01");
  await storage.write((tx) => storeRecord(tx, { kind: "Interaction", id, payload, keyId: null, expiresAt }));
  return id;
}
