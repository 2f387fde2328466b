/** Signed notes (c2sp.org/signed-note) with Ed25519 signatures, and checkpoints (c2sp.org/tlog-checkpoint) in them. */

import {
  type Bytes,
  bytesOf,
  concat,
  fromBase64,
  HASH_BYTES,
  isEqual,
  type Sha256,
  toBase64,
  toHex,
  webSha256,
} from "./bytes.ts";
import type { TreeHead } from "./merkle.ts";

/** The type byte of Ed25519 keys. */
const ED25519 = 1;
/** Longer notes are refused. */
const MAX_NOTE = 100_000;

/** A key that signs notes. */
export interface NoteKey {
  name: string;
  /** The Ed25519 public key: 32 bytes. */
  publicKey: Bytes;
}

/** The 4 bytes that, with the name, identify a key in a signature. */
export async function keyIdOf({ name, publicKey }: NoteKey, sha256: Sha256 = webSha256): Promise<Bytes> {
  return (await sha256(concat(bytesOf(`${name}\n`), Uint8Array.of(ED25519), publicKey))).slice(0, 4);
}

/** The key as auditors' tools take it, such as `example.com/log+530d903a+AekyeR…`. */
export async function verifierKey(key: NoteKey): Promise<string> {
  const encoded = toBase64(concat(Uint8Array.of(ED25519), key.publicKey));
  return `${key.name}+${toHex(await keyIdOf(key))}+${encoded}`;
}

/** Throws if it isn't the verifier key of an Ed25519 key. */
export async function parseVerifierKey(text: string): Promise<NoteKey> {
  const [, name = "", id, encoded = ""] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const key = { name, publicKey: bytes.slice(1) };
  if (bytes[0] !== ED25519 || key.publicKey.length !== 32 || toHex(await keyIdOf(key)) !== id)
    throw new Error("not the verifier key of an Ed25519 key");
  return key;
}

interface NoteSignature {
  name: string;
  keyId: Bytes;
  signature: Bytes;
}

/** A signature's line in a note. */
export function signatureLine({ name, keyId, signature }: NoteSignature): string {
  return `\u2014 ${name} ${toBase64(concat(keyId, signature))}\n`;
}

/** Splits a note into its text, which ends with a line break, and its signatures. Throws if it is malformed. */
export function parseNote(note: string): { text: string; signatures: NoteSignature[] } {
  const end = note.lastIndexOf("\n\n");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: notes must not contain any but line breaks
  const hasControls = /[\x00-\x09\x0b-\x1f]/.test(note);
  if (end < 0 || note.length > MAX_NOTE || hasControls || !note.endsWith("\n"))
    throw new Error("malformed note");
  const lines = note.slice(end + 2, -1).split("\n");
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): NoteSignature {
  const [, name = "", encoded] = /^\u2014 ([^\s+]+) (\S+)$/u.exec(line) ?? [];
  const bytes = encoded === undefined ? new Uint8Array() : fromBase64(encoded);
  if (bytes.length < 5) throw new Error("malformed signature line");
  return { name, keyId: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/**
 * Returns the note's text if one of these keys signed it, and the key. Throws if none did, or if a signature by one of them
 * is wrong. Ignores signatures by other keys.
 */
export async function openNote(
  note: string,
  keys: readonly NoteKey[],
): Promise<{ text: string; key: NoteKey }> {
  const { text, signatures } = parseNote(note);
  let signer: NoteKey | null = null;
  for (const key of keys) {
    const id = await keyIdOf(key);
    for (const { name, keyId, signature } of signatures) {
      if (name !== key.name || !isEqual(keyId, id)) continue;
      if (!(await verifyEd25519(key.publicKey, signature, bytesOf(text))))
        throw new Error("a signature of the note is wrong");
      signer ??= key;
    }
  }
  if (!signer) throw new Error("the note isn't signed by a known key");
  return { text, key: signer };
}

/** Whether the Ed25519 signature is the key's. */
export async function verifyEd25519(publicKey: Bytes, signature: Bytes, data: Bytes): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, signature, data);
}

/** A log's state: how many entries it has, and the hash of them all. */
export interface Checkpoint extends TreeHead {
  /** The log's name. */
  origin: string;
}

/** The text of a checkpoint, to be signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** Throws if it isn't the text of a checkpoint. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = "", size = "", hash = ""] = text.split("\n");
  const root = fromBase64(hash);
  const isValid = origin !== "" && /^(0|[1-9]\d{0,15})$/.test(size) && root.length === HASH_BYTES;
  if (!isValid || !Number.isSafeInteger(Number(size))) throw new Error("malformed checkpoint");
  return { origin, size: Number(size), root };
}
