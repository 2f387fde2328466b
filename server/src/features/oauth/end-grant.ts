import type { Services } from "../../http/services.ts";
import { revokeReused } from "../keys/exposed-keys.ts";
import { endGrant } from "../keys/grants.queries.ts";
import { OAuthError } from "./oauth-error.ts";

/** A code or token that works once was used again, so one of its two users is a thief. */
export class UsedTwice extends OAuthError {
  readonly grantId: string | null;

  constructor(grantId: number | null) {
    super("invalid_grant", "it was already used");
    this.grantId = grantId === null ? null : String(grantId);
  }
}

export type EndReason = "revoked by the app" | "used twice";

/** Ends an app's access. If a code or token was used twice, notifies the person and records it. */
export async function endAccess(
  { storage, log, now }: Services,
  grantId: string,
  { reason, address }: { reason: EndReason; address: string },
): Promise<void> {
  const time = now();
  const keyId = Number(grantId);
  const hasEnded = await storage.write(async (tx) =>
    reason === "used twice" ? revokeReused(tx, keyId, time) : (await endGrant(tx, keyId)) !== undefined,
  );
  if (hasEnded)
    log.info({ security: true, target: `key:${grantId}`, reason, address }, "an app's access has ended");
}
