import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { DAY, MINUTE } from "@tandem/contract/durations";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../http/api-error.ts";
import { type Encoding, encodings, type Sendable, tagOf } from "../http/content.ts";
import { sendTagged } from "../http/etag.ts";
import { built } from "./web.ts";

/** Files with fixed URLs; all others have a content hash in their name. */
const files = [
  "icon.svg",
  "icon-mono.svg",
  "favicon.ico",
  "icon-180.png",
  "icon-192.png",
  "icon-512.png",
  "icon-maskable-512.png",
  "screenshot-wide.webp",
  "screenshot-narrow.webp",
  "screenshot-narrow-post.webp",
  "manifest.webmanifest",
  "sw.js",
  "player.js",
];

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** How files that the build compressed end, too. */
const endings: Record<Encoding, string> = { br: ".br", gzip: ".gz" };

/** How long browsers may keep files with a content hash in their name, and the others; in seconds. */
const MAX_AGE = { hashed: (365 * DAY) / 1000, fixed: (5 * MINUTE) / 1000 };

/** A file of the app, with what the build compressed. */
class AppFile implements Sendable {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly #compressed: Readonly<Record<Encoding, Buffer>> | null;

  constructor(bytes: Buffer, compressed: Readonly<Record<Encoding, Buffer>> | null) {
    this.bytes = bytes;
    this.tag = tagOf(bytes);
    this.#compressed = compressed;
  }

  get isWorthCompressing(): boolean {
    return this.#compressed !== null;
  }

  compressed(encoding: Encoding): Buffer {
    return this.#compressed?.[encoding] ?? this.bytes;
  }
}

/**
 * Serves scripts, styles, fonts and icons. They are read once and then sent from memory, which costs less than refusing them: a page that is
 * admitted under overload gets its files.
 */
export function serveAppFiles(server: FastifyInstance): void {
  const paths = builtFiles();
  const loaded = new Map<string, Promise<AppFile>>();
  const load = (path: string) => {
    const known = loaded.get(path);
    if (known) return known;
    if (!paths.has(path)) throw new ApiError("not_found");
    const file = read(path);
    loaded.set(path, file);
    file.catch(() => loaded.delete(path));
    return file;
  };
  const serve = (url: string, cacheControl: string, pathOf: (name: string) => string) =>
    server.get<{ Params: { name: string } }>(url, { config: { cost: "file" } }, async (request, reply) => {
      const path = pathOf(request.params.name);
      const file = await load(path);
      reply.headers({ "content-type": types[extname(path)], "cache-control": cacheControl });
      return sendTagged(request, reply, file);
    });
  serve("/assets/:name", `public, max-age=${MAX_AGE.hashed}, immutable`, (name) => `assets/${name}`);
  for (const file of files) serve(`/${file}`, `public, max-age=${MAX_AGE.fixed}`, () => file);
}

/** What may be read, so that no name leads elsewhere, and files that don't exist cost no look at the disk. */
function builtFiles(): ReadonlySet<string> {
  const directory = `${built}client/assets`;
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const assets = names.filter((name) => types[extname(name)] !== undefined);
  return new Set([...files, ...assets.map((name) => `assets/${name}`)]);
}

/** Throws `not_found` without a built web app. */
async function read(path: string): Promise<AppFile> {
  const bytes = await readBuilt(path);
  if (!bytes) throw new ApiError("not_found");
  const [br, gzip] = await Promise.all(encodings.map((encoding) => readBuilt(path + endings[encoding])));
  return new AppFile(bytes, br && gzip ? { br, gzip } : null);
}

/** Null if there is no such file. */
async function readBuilt(path: string): Promise<Buffer | null> {
  try {
    return await readFile(`${built}client/${path}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
