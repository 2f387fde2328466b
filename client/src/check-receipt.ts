import { fromBase64Url } from "@tandem/contract/log/bytes";
import { type CurrentKind, JWKS_PATH, LOG_PATH, linkAddress, logPathOf } from "@tandem/contract/log/entry";
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
import { type Client, createClient } from "./create-client.ts";

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
export interface PostTarget {
  /** The service's address, without a slash at the end. */
  baseUrl: string;
  postId: number;
  commentId: number | null;
}

/** A product, profile, live stream or community. */
export interface CurrentTarget {
  /** The service's address, without a slash at the end. */
  baseUrl: string;
  kind: CurrentKind;
  /** A product's id, an account's username or a community's name. */
  name: string;
}

export type ReceiptTarget = PostTarget | CurrentTarget;

const addresses: [pattern: RegExp, kind: CurrentKind][] = [
  [/^\/out\/([1-9]\d{0,14})\/?$/, "product"],
  [/^\/(?:api\/)?creators\/native\/([A-Za-z0-9_.-]+)\/?$/, "profile"],
  [/^\/live\/([A-Za-z0-9_.-]+)\/?$/, "live"],
  [/^\/(?:c|api\/communities)\/([A-Za-z0-9_]+)\/?$/, "community"],
];

/**
 * Parses the address of a post, of a comment on its page, of a profile, community or live stream, or of a product's link (`/out/42`);
 * null if it is none of these.
 */
export function parseReceiptTarget(address: string): ReceiptTarget | null {
  const url = URL.parse(address.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const baseUrl = url.origin;
  const [, id] = /^(?:\/api)?\/posts\/([1-9]\d{0,14})\/?$/.exec(url.pathname) ?? [];
  const [, commentId] = /^#comment-([1-9]\d{0,14})$/.exec(url.hash) ?? [];
  if (url.hash !== "" && (id === undefined || commentId === undefined)) return null;
  if (id !== undefined)
    return { baseUrl, postId: Number(id), commentId: commentId ? Number(commentId) : null };
  for (const [pattern, kind] of addresses) {
    const [, name] = pattern.exec(url.pathname) ?? [];
    if (name !== undefined) return { baseUrl, kind, name };
  }
  return null;
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
 * Reads something as anyone sees it, with its receipt, and checks one against the other and against the public log.
 * Throws a `TandemError` if the service responds with an error, such as `no_receipt`.
 */
export async function checkReceipt(
  target: ReceiptTarget,
  { fetch: given = fetch, files = true, key, signal }: CheckOptions = {},
): Promise<CheckedReceipt> {
  const { baseUrl } = target;
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
  const readCurrent = currentReaders(tandem, options, readLink);
  const receipt = await readReceipt();
  const checked = await checkAgainstShown(receipt);
  if (checked.ok) return checked;
  // An edit between the reads isn't a contradiction.
  return checkAgainstShown(await readReceipt());

  async function readReceipt(): Promise<Receipt> {
    if ("kind" in target) {
      const { kind, name } = target;
      return (await tandem.readReceipt({ kind, name }, options)).receipt;
    }
    const { postId, commentId } = target;
    const response = await (commentId === null
      ? tandem.readPostReceipt({ id: postId }, options)
      : tandem.readCommentReceipt({ id: commentId }, options));
    return response.receipt;
  }

  async function checkAgainstShown(receipt: Receipt): Promise<CheckedReceipt> {
    const served = await readServed();
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

  /** Where a product's link leads, without a click that counts; null in browsers, which don't say. */
  async function readLink(path: string): Promise<string | null> {
    const address = new URL(path, `${baseUrl}/`).href;
    const response = await anonymous(address, { ...options, method: "HEAD", redirect: "manual" });
    const location = response.headers.get("location");
    return location && linkAddress(location);
  }

  function readServed(): Promise<Served> {
    if ("kind" in target) return readCurrent[target.kind](target.name);
    const { postId, commentId } = target;
    return commentId === null ? readPost(postId) : readComment(postId, commentId);
  }

  async function readPost(id: number): Promise<Served> {
    const { post } = await tandem.readPost({ id }, options);
    const { versions } = await tandem.listPostVersions({ id, limit: 1 }, options);
    const { platform, author, authorIsAgent: byAgent, provenance, provenanceBasis, mediaUrl } = post;
    const shown = { platform, author, byAgent, version: currentOf(versions), provenance, provenanceBasis };
    return { kind: "post", id, ...shown, mediaUrl, content: post };
  }

  async function readComment(id: number, comment: number): Promise<Served> {
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
      byAgent: found.authorIsAgent,
      version: currentOf(versions),
      provenance: found.isAiGenerated ? "ai_generated" : "human",
      provenanceBasis: null,
      content: { body: found.body, parentId: found.parentId, postId: id },
    };
  }
}

/** How anyone reads what has no versions. Each throws if the service doesn't show it. */
function currentReaders(
  tandem: Client,
  options: { signal?: AbortSignal },
  readLink: (path: string) => Promise<string | null>,
): Record<CurrentKind, (name: string) => Promise<Served>> {
  const platform = nativePlatform;
  const shown = (isAi: boolean) =>
    ({
      platform,
      id: null,
      version: null,
      provenance: isAi ? "ai_generated" : "human",
      provenanceBasis: null,
    }) as const;
  return {
    async product(name) {
      const id = Number(name);
      const { products } = await tandem.listProducts({ cursor: id + 1, limit: 1 }, options);
      const [product] = products;
      if (product?.id !== id) throw new Error("The service has no such product.");
      const { seller, isAiGenerated, url } = product;
      const link = await readLink(url);
      const by = { ...shown(isAiGenerated), id, author: seller };
      return { kind: "product", ...by, content: product, ...(link && { mediaUrl: link }) };
    },
    async profile(author) {
      const { creator } = await tandem.readCreator({ platform, author }, options);
      const { avatarUrl, bannerUrl, aiGeneratedFields, links, authorIsAgent: byAgent } = creator;
      const content = { ...creator, links: links.map(({ url }) => url) };
      const operator = creator.operator?.username ?? null;
      const by = { ...shown(aiGeneratedFields.length > 0), author: creator.author, byAgent, operator };
      return { kind: "profile", ...by, content, mediaUrl: avatarUrl, bannerUrl };
    },
    async live(name) {
      const { lives } = await tandem.listLives({}, options);
      const live = lives.find(({ username }) => username.toLowerCase() === name.toLowerCase());
      if (!live) throw new Error("No such live stream is listed.");
      return { kind: "live", ...shown(live.isAiGenerated), author: live.username, content: live };
    },
    async community(name) {
      const { community } = await tandem.readCommunity({ name }, options);
      const { pictureIsAi, pictureUrl } = community;
      const by = { ...shown(pictureIsAi), author: community.name };
      return { kind: "community", ...by, content: community, mediaUrl: pictureUrl };
    },
  };
}
