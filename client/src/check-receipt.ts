import { fromBase64Url } from "@tandem/contract/log/bytes";
import { JWKS_PATH, LOG_PATH, logPathOf } from "@tandem/contract/log/entry";
import { verifierKey } from "@tandem/contract/log/note";
import {
  checkReceipt as check,
  type LogJwk,
  originOf,
  type ReceiptReport,
  type Served,
} from "@tandem/contract/log/receipt";
import { hashesIn, tilePath } from "@tandem/contract/log/tiles";
import { nativePlatform } from "@tandem/contract/origins";
import type { Receipt } from "@tandem/contract/receipts";
import { createClient } from "./create-client.ts";

export {
  type CheckResult,
  type ReceiptCheck,
  type ReceiptReport,
  receiptChecks,
} from "@tandem/contract/log/receipt";

/** The number of the current version, which a list of versions begins with. */
function currentOf([first]: readonly { version: number }[]): number {
  if (!first) throw new Error("The service lists no version.");
  return first.version;
}

/** A post, or a comment on it. */
export interface ReceiptTarget {
  /** The service's address, without a slash at the end. */
  baseUrl: string;
  postId: number;
  commentId: number | null;
}

/** Parses the address of a post, or of a comment on its page; null if it is neither. */
export function parseReceiptTarget(address: string): ReceiptTarget | null {
  const url = URL.parse(address.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const [, id] = /^(?:\/api)?\/posts\/([1-9]\d{0,14})\/?$/.exec(url.pathname) ?? [];
  const [, commentId] = /^#comment-([1-9]\d{0,14})$/.exec(url.hash) ?? [];
  if (id === undefined || (url.hash !== "" && commentId === undefined)) return null;
  return { baseUrl: url.origin, postId: Number(id), commentId: commentId ? Number(commentId) : null };
}

export interface CheckOptions {
  fetch?: typeof fetch;
  /** Whether to download an uploaded picture or video and compare it. Default: yes. */
  files?: boolean;
  /** The log's key as you know it, in the form of `verifierKeys`. Default: any key that the service lists. */
  key?: string;
  signal?: AbortSignal;
}

export interface CheckedReceipt extends ReceiptReport {
  /** The service's keys in the form that auditors' tools take; the first signs now. */
  verifierKeys: string[];
  receipt: Receipt;
  served: Served;
}

/**
 * Reads a post or comment as anyone sees it, with its receipt, and checks one against the other and against the public log.
 * Throws a `TandemError` if the service responds with an error, such as `no_receipt`.
 */
export async function checkReceipt(
  target: ReceiptTarget,
  { fetch: given = fetch, files = true, key, signal }: CheckOptions = {},
): Promise<CheckedReceipt> {
  const { baseUrl, postId: id, commentId } = target;
  // As anyone sees it, even in a browser that is logged in.
  const anonymous: typeof fetch = (input, init) => given(input, { ...init, credentials: "omit" });
  const tandem = createClient({ baseUrl, fetch: anonymous });
  const options = signal ? { signal } : {};
  const read = async (path: string): Promise<Response> => {
    const response = await anonymous(new URL(path, `${baseUrl}/`).href, options);
    if (!response.ok) throw new Error(`${path}: the service responded with ${response.status}.`);
    return response;
  };
  const readBytes = async (path: string) => new Uint8Array(await (await read(path)).arrayBuffer());
  const receipt = await readReceipt();
  const checked = await checkAgainstShown(receipt);
  if (checked.ok) return checked;
  // An edit between the two reads isn't a contradiction.
  const latest = await readReceipt();
  return latest.entry === receipt.entry ? checked : checkAgainstShown(latest);

  async function readReceipt(): Promise<Receipt> {
    const response = await (commentId === null
      ? tandem.readPostReceipt({ id }, options)
      : tandem.readCommentReceipt({ id: commentId }, options));
    return response.receipt;
  }

  async function checkAgainstShown(receipt: Receipt): Promise<CheckedReceipt> {
    const served = commentId === null ? await readPost() : await readComment(commentId);
    const { keys } = (await (await read(JWKS_PATH)).json()) as { keys: LogJwk[] };
    const latestCheckpoint = await (await read(`${LOG_PATH}/checkpoint`)).text();
    const origin = originOf(latestCheckpoint);
    const verifierKeys = await Promise.all(
      keys.map(({ x }) => verifierKey({ name: origin, publicKey: fromBase64Url(x) })),
    );
    const logPath = logPathOf(origin);
    const report = await check(receipt, served, {
      keys: key === undefined ? keys : keys.filter((_, i) => verifierKeys[i] === key),
      ...(files && { readFile: readBytes }),
      latestCheckpoint,
      readTile: async (tile) => hashesIn(await readBytes(`${logPath}/${tilePath(tile)}`), tile.width),
    });
    return { ...report, verifierKeys, receipt, served };
  }

  async function readPost(): Promise<Served> {
    const { post } = await tandem.readPost({ id }, options);
    const { versions } = await tandem.listPostVersions({ id, limit: 1 }, options);
    const { platform, author, provenance, provenanceBasis, mediaUrl } = post;
    const shown = { platform, author, version: currentOf(versions), provenance, provenanceBasis };
    return { kind: "post", id, ...shown, mediaUrl, content: post };
  }

  async function readComment(comment: number): Promise<Served> {
    const page = { id, cursor: comment - 1, limit: 1, ai: "show" } as const;
    const { comments } = await tandem.listComments(page, options);
    const [found] = comments;
    if (found?.id !== comment) throw new Error("This post has no such comment.");
    const { versions } = await tandem.listCommentVersions({ id: comment, limit: 1 }, options);
    return {
      kind: "comment",
      id: comment,
      platform: nativePlatform,
      author: found.username,
      version: currentOf(versions),
      provenance: found.isAiGenerated ? "ai_generated" : "human",
      provenanceBasis: null,
      content: { body: found.body, parentId: found.parentId, postId: id },
    };
  }
}
