import type { CurrentKind, VersionedKind } from "@tandem/contract/log/entry";
import type { Generated } from "kysely";

/** A key that signs receipts and checkpoints. One isn't retired. */
export interface LogKeyRow {
  /** Its JWK thumbprint. */
  kid: string;
  /** 32 bytes in base64url. */
  public_key: string;
  /** The same; null once it is retired. */
  private_key: string | null;
  created_at: number;
  retired_at: number | null;
}

/** The state that was signed last. One row. */
export interface LogHeadRow {
  id: 1;
  /** The log's name. */
  origin: string;
  size: number;
  /** In base64. */
  root_hash: string;
  /** The signed note. */
  checkpoint: string;
  signed_at: number;
  /** Posts up to this id aren't their own pending entries any more; see `features/transparency-log/first-entries.ts`. */
  posts_done: Generated<number>;
  /** What `posts_done` becomes once all transactions before `next_position` have ended. */
  next_done: Generated<number>;
  next_position: Generated<number>;
}

/**
 * An entry that isn't in the tree yet. Kind, subject, version and sequence are its key: a second index would cost each post a
 * page more to write.
 */
export interface PendingEntryRow {
  kind: VersionedKind | `${VersionedKind}-deletion` | CurrentKind | "key";
  /** The id of the post, comment, product, account (of a profile or live stream) or community; 0 for keys. */
  subject_id: number;
  version: number;
  /** Tells apart entries of one version, such as after its files were replaced: microseconds since 1970. */
  sequence: number;
  salt: string | null;
  /** The entry's text; null for deletions, whose text is written when they are added to the tree. */
  entry: string | null;
  /** The host whose key signed the request; the entry has its hash. */
  signer: Generated<string | null>;
}

export interface LogTileRow {
  level: number;
  number: number;
  /** Up to 256 hashes in base64. */
  hashes: string;
}

/** Where the entry of a version is, and the salt of its hashes. */
export interface ReceiptRow {
  version: number;
  /** In base64url. */
  salt: string;
  position: number;
  /** The host whose key signed the request. */
  signer: Generated<string | null>;
}

/** The same of a product, profile, live stream or community. After a deletion, one row remains for the number of its versions. */
export interface CurrentReceiptRow extends Omit<ReceiptRow, "salt"> {
  kind: CurrentKind;
  subject_id: number;
  /** Null for a deletion. */
  salt: string | null;
}
