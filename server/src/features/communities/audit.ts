import type { CommunityOperation } from "@tandem/contract/community-names";
import { record } from "../../http/audit.ts";
import type { Call } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";

interface CommunityAct {
  operation: CommunityOperation;
  /** The community's name. */
  name: string;
  /** What it concerns, such as `post:42`. */
  target: string;
  detail: object;
}

/** Records in the audit log what a community's moderator did. Call this last, as {@link record}. */
export async function recordAct(
  { caller, now }: Call,
  tx: Db,
  { operation, name, target, detail }: CommunityAct,
): Promise<void> {
  await record(tx, [
    { caller, act: operation, target, detail: { name: name.toLowerCase(), ...detail }, now },
  ]);
}
