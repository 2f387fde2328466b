import { routeOf } from "@tandem/contract/hints";
import { nativePlatform, type Platform } from "@tandem/contract/origins";
import { ApiError } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";
import { findCreator, foreignCreator } from "../creators/creators.queries.ts";

export interface CreatorName {
  platform: Platform;
  author: string;
}

/** The creator's id. An author on another platform is added: they can be followed, muted or listed before any of their posts is imported. */
export async function namedCreator(tx: Db, { platform, author }: CreatorName): Promise<number> {
  if (platform !== nativePlatform) return foreignCreator(tx, platform, author);
  const creatorId = await findCreator(tx, platform, author);
  if (creatorId === undefined) throw unknownAccount(author);
  return creatorId;
}

/** The creator's id; null for an author on another platform that isn't known here. */
export async function knownCreator(db: Db, { platform, author }: CreatorName): Promise<number | null> {
  const creatorId = await findCreator(db, platform, author);
  if (creatorId === undefined && platform === nativePlatform) throw unknownAccount(author);
  return creatorId ?? null;
}

function unknownAccount(author: string): ApiError {
  const hint = author.startsWith("@")
    ? "Leave out the @."
    : `${routeOf("searchCreators")} finds accounts by name. For an author elsewhere, send that \`platform\`.`;
  return new ApiError("not_found", `No account is named ${author}.`, { field: "author", hint });
}
