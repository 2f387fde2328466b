/** Checks a receipt against what it is about. Uses WebCrypto only, so anyone can run it anywhere. */

import { MINUTE } from "../durations.ts";
import { nativePlatform, type Platform } from "../origins.ts";
import type { Provenance, ProvenanceBasis } from "../provenance.ts";
import type { Receipt } from "../receipts.ts";
import {
  type Bytes,
  bytesOf,
  fromBase64,
  fromBase64Url,
  isEqual,
  textOf,
  toBase64Url,
  toHex,
  webSha256,
} from "./bytes.ts";
import {
  authorContent,
  contentText,
  FILE_HASH,
  type LoggedKind,
  type LoggedTexts,
  type MediaField,
  mediaFieldsOf,
  operatorContent,
  type PublishedEntry,
  parsePublished,
  SALT_BYTES,
  salted,
  signerContent,
  stableAddress,
} from "./entry.ts";
import { leafHash, verifyConsistency, verifyInclusion } from "./merkle.ts";
import { type Checkpoint, type NoteKey, openNote, parseCheckpoint, verifyEd25519 } from "./note.ts";
import { type ReadTile, TiledTree } from "./tiles.ts";

/** A public key as `/.well-known/jwks.json` lists it. */
export interface LogJwk {
  kty: string;
  crv: string;
  x: string;
  kid: string;
}

/** Something of one kind as the service shows it. */
interface ServedOf<K extends LoggedKind> {
  kind: K;
  /** Null if the service doesn't show it. */
  id: number | null;
  platform: Platform;
  author: string;
  /** Whether it calls the author an agent. Left out: it doesn't say. */
  byAgent?: boolean;
  /** The operator's username that it shows; null for a person. Left out: it isn't shown here. */
  operator?: string | null;
  /** The number of the version that it shows; null if it doesn't say. */
  version: number | null;
  provenance: Provenance;
  /** Null if the service doesn't show it. */
  provenanceBasis: ProvenanceBasis | null;
  content: LoggedTexts[K];
  /** The address of the post's media, of the profile's avatar or the community's picture, or what the product links to. Left out: it can't be read. */
  mediaUrl?: string | null;
  /** Of a profile. */
  bannerUrl?: string | null;
}

export type Served = { [K in LoggedKind]: ServedOf<K> }[LoggedKind];

/** Milliseconds within which an entry must be in the log. It takes seconds; the rest is for clocks that differ. */
const MAX_PENDING = 10 * MINUTE;

/** How a check reads what it needs besides the receipt. */
export interface Sources {
  keys: readonly LogJwk[];
  /** Reads an uploaded file. Left out: files aren't checked. */
  readFile?(address: string): Promise<Bytes>;
  /** The log's latest checkpoint. Left out: whether the log still contains the receipt's tree isn't checked. */
  latestCheckpoint?: string;
  readTile?: ReadTile;
  /** Milliseconds since 1970. Default: the clock's time. */
  now?: number;
}

/** What is checked, in order. */
export const receiptChecks = [
  "statement",
  "version",
  "text",
  "media",
  "author",
  "provenance",
  "inclusion",
  "consistency",
] as const;
export type ReceiptCheck = (typeof receiptChecks)[number];

/** `pending`: the entry isn't in the log yet, and is new enough for that. `skipped`: there is nothing to check, or it wasn't asked for. */
export type CheckResult = "passed" | "failed" | "pending" | "skipped";

export interface ReceiptReport {
  /** Whether nothing failed. */
  ok: boolean;
  results: Record<ReceiptCheck, CheckResult>;
  /** What the receipt says; null if it can't be read. */
  entry: PublishedEntry | null;
  /** The log's state that the receipt leads to; null while it is pending, or if it isn't signed by the service. */
  checkpoint: Checkpoint | null;
}

/** Runs every check. Never throws because of what the receipt contains; a loader's failure is thrown. */
export async function checkReceipt(
  receipt: Receipt,
  served: Served,
  sources: Sources,
): Promise<ReceiptReport> {
  const entry = attempt(() => entryAbout(receipt, served.kind, served.id));
  const salt = attempt(() => saltOf(receipt));
  const media = await checkMedia(receipt, served, sources);
  const passes = (isTrue: boolean): CheckResult => (isTrue ? "passed" : "failed");
  const { inclusion, checkpoint } = await checkInclusion(receipt, entry, sources);
  const log = originOf(receipt.proof?.checkpoint ?? sources.latestCheckpoint);
  const results: Record<ReceiptCheck, CheckResult> = {
    statement: passes(entry !== null && (await isStated(receipt, sources.keys, log))),
    version: served.version === null ? "skipped" : passes(entry?.version === served.version),
    text: passes(
      entry !== null && salt !== null && entry.content === (await digest(salt, contentOf(receipt, served))),
    ),
    media,
    author: passes(entry !== null && salt !== null && (await isBy(receipt, served, entry, salt))),
    provenance: passes(
      entry?.provenance === served.provenance &&
        (served.provenanceBasis === null || entry.basis === served.provenanceBasis),
    ),
    inclusion,
    consistency: await checkConsistency(checkpoint, sources),
  };
  return { ok: !Object.values(results).includes("failed"), results, entry, checkpoint };
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function entryAbout({ entry }: Receipt, kind: LoggedKind, id: number | null): PublishedEntry {
  const published = parsePublished(entry);
  if (published.kind !== kind || (id !== null && published.id !== id))
    throw new Error("the receipt is about something else");
  return published;
}

function saltOf({ salt }: Receipt): Bytes {
  const bytes = fromBase64Url(salt);
  if (bytes.length !== SALT_BYTES) throw new Error("the salt has the wrong length");
  return bytes;
}

/** A salted hash as it is in an entry. */
export async function digest(salt: Bytes, text: string): Promise<string> {
  return toBase64Url(await webSha256(salted(salt, text)));
}

/** Older services say nothing of a banner. */
function contentOf<K extends LoggedKind>(
  { media, banner = null, pictures }: Receipt,
  { kind, content }: ServedOf<K>,
): string {
  return contentText(kind, content, { media, banner, pictures });
}

async function isBy(receipt: Receipt, served: Served, entry: PublishedEntry, salt: Bytes): Promise<boolean> {
  // Older services say nothing of a signer.
  const { platform, author, operator, signer = null } = receipt;
  if (platform !== served.platform || author !== served.author) return false;
  const { byAgent = operator !== null, operator: shownOperator = operator } = served;
  if (byAgent !== (operator !== null) || shownOperator !== operator) return false;
  const operatorHash = operator === null ? null : await digest(salt, operatorContent(operator));
  const signerHash = signer === null ? undefined : await digest(salt, signerContent(signer));
  return (
    entry.author === (await digest(salt, authorContent({ platform, author }))) &&
    entry.operator === operatorHash &&
    entry.signer === signerHash
  );
}

async function checkMedia(receipt: Receipt, served: Served, sources: Sources): Promise<CheckResult> {
  const checks = mediaFieldsOf(served.kind).map((field) => checkMedium(field, receipt, served, sources));
  const results = await Promise.all([...checks, checkPictures(receipt, served, sources)]);
  return (
    results.find((result) => result === "failed") ??
    results.find((result) => result === "passed") ??
    "skipped"
  );
}

async function checkMedium(
  field: MediaField,
  receipt: Receipt,
  served: Served,
  sources: Sources,
): Promise<CheckResult> {
  const media = receipt[field] ?? null;
  const address = field === "media" ? served.mediaUrl : served.bannerUrl;
  if (address === undefined || (media === null && address === null)) return "skipped";
  if (media === null || address === null) return "failed";
  if (served.kind === "product")
    return media === FILE_HASH + toHex(await webSha256(bytesOf(address))) ? "passed" : "failed";
  return checkFile(media, address, served.kind === "post" ? served.content.mediaType : "image", sources);
}

/** The pictures after the first, which is the post's media. Those of imported posts aren't covered. */
async function checkPictures(receipt: Receipt, served: Served, sources: Sources): Promise<CheckResult> {
  const { pictures: logged = [], media } = receipt;
  const isCovered = served.kind === "post" && served.platform === nativePlatform;
  const shown = (isCovered && served.content.pictures) || [];
  if (logged.length !== shown.length) return "failed";
  const [first] = shown;
  if (!first) return "skipped";
  if (logged[0] !== media || first.url !== served.mediaUrl) return "failed";
  for (const [i, { url }] of shown.entries()) {
    const result = i === 0 ? "passed" : await checkFile(logged[i] ?? "", url, "image", sources);
    if (result !== "passed") return result;
  }
  return "passed";
}

async function checkFile(
  media: string,
  address: string,
  mediaType: string,
  { readFile }: Sources,
): Promise<CheckResult> {
  if (!media.startsWith(FILE_HASH)) return media === stableAddress(mediaType, address) ? "passed" : "failed";
  if (!readFile) return "skipped";
  return media === FILE_HASH + toHex(await webSha256(await readFile(address))) ? "passed" : "failed";
}

/** Whether the service signed that this entry is in its log, whose name `log` is; null if that is unknown. */
async function isStated(
  { statement, entry }: Receipt,
  keys: readonly LogJwk[],
  log: string | null,
): Promise<boolean> {
  const [header = "", payload = "", signature = "", ...more] = statement.split(".");
  const read = (part: string) => JSON.parse(textOf(fromBase64Url(part))) as Record<string, unknown>;
  const parsed = attempt(() => ({ header: read(header), payload: read(payload) }));
  const key = keys.find(({ kid }) => kid === parsed?.header.kid);
  if (!parsed || !key || more.length > 0) return false;
  if (parsed.header.alg !== "EdDSA" || parsed.payload.entry !== entry) return false;
  if (log !== null && parsed.payload.log !== log) return false;
  const bytes = attempt(() => ({ key: publicKeyOf(key), signature: fromBase64Url(signature) }));
  return bytes !== null && verifyEd25519(bytes.key, bytes.signature, bytesOf(`${header}.${payload}`));
}

function publicKeyOf({ kty, crv, x }: LogJwk): Bytes {
  if (kty !== "OKP" || crv !== "Ed25519") throw new Error("not an Ed25519 key");
  return fromBase64Url(x);
}

/** The keys that may sign a log's checkpoints, by the log's name. */
export function noteKeys(keys: readonly LogJwk[], origin: string): NoteKey[] {
  return keys.flatMap((key) => {
    const publicKey = attempt(() => publicKeyOf(key));
    return publicKey ? [{ name: origin, publicKey }] : [];
  });
}

/** The checkpoint in a note that one of the service's keys signed. Throws if none did. */
export async function openCheckpoint(note: string, keys: readonly LogJwk[]): Promise<Checkpoint> {
  const { text } = await openNote(note, noteKeys(keys, originOf(note)));
  return parseCheckpoint(text);
}

/** The log's name in a checkpoint's note, without checking its signature. */
export function originOf(note: string): string;
export function originOf(note: string | undefined): string | null;
export function originOf(note: string | undefined): string | null {
  return note === undefined ? null : (note.split("\n", 1)[0] ?? "");
}

async function checkInclusion(
  { entry, proof }: Receipt,
  published: PublishedEntry | null,
  { keys, now = Date.now() }: Sources,
): Promise<{ inclusion: CheckResult; checkpoint: Checkpoint | null }> {
  if (proof === null) {
    const isDue = published !== null && now - Date.parse(published.time) <= MAX_PENDING;
    return { inclusion: isDue ? "pending" : "failed", checkpoint: null };
  }
  const checkpoint = await openCheckpoint(proof.checkpoint, keys).catch(() => null);
  const path = attempt(() => proof.path.map(fromBase64));
  if (!checkpoint || !path) return { inclusion: "failed", checkpoint };
  const { size, root } = checkpoint;
  const leaf = await leafHash(bytesOf(entry));
  const isIncluded = await verifyInclusion({ index: proof.index, size, leaf, root }, path);
  return { inclusion: isIncluded ? "passed" : "failed", checkpoint };
}

/** Whether the log's latest state still contains the receipt's. */
async function checkConsistency(
  receipt: Checkpoint | null,
  { keys, latestCheckpoint, readTile }: Sources,
): Promise<CheckResult> {
  if (!receipt || latestCheckpoint === undefined || !readTile) return "skipped";
  const latest = await openCheckpoint(latestCheckpoint, keys).catch(() => null);
  // Another origin is another log, which began after a restore from a backup.
  if (!latest || latest.origin !== receipt.origin) return "failed";
  const isConsistent = await areConsistent(receipt, latest, readTile);
  return isConsistent ? "passed" : "failed";
}

/** Whether the bigger of two trees continues the smaller, by the tiles of the bigger one. */
export async function areConsistent(a: Checkpoint, b: Checkpoint, readTile: ReadTile): Promise<boolean> {
  const [older, newer] = a.size <= b.size ? [a, b] : [b, a];
  if (older.size === newer.size) return isEqual(older.root, newer.root);
  const proof = await new TiledTree(newer.size, readTile).consistencyProof(older.size);
  return verifyConsistency(older, newer, proof);
}
