import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isMediaName, isOriginal, MEDIA_PATH, mimeOf } from "../media/names.ts";
import { isWithheld } from "../media/rows.ts";
import type { StoredBytes } from "../media/store.ts";
import { ApiError, notFound } from "./api-error.ts";
import { isKnown } from "./etag.ts";
import { rangeOf } from "./ranges.ts";
import type { Services } from "./services.ts";

/** Headers for media: fixed type, no scripts, no embedding of other content. */
const harmless = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  // Other sites may embed pictures: anyone with the URL can see the file anyway.
  "cross-origin-resource-policy": "cross-origin",
};

/** Serves stored files. File names are unguessable, and a file never changes. */
export function serveMedia(server: FastifyInstance, services: Services): void {
  server.route<{ Params: { name: string } }>({
    method: ["GET", "HEAD"],
    url: `${MEDIA_PATH}:name`,
    config: { cost: "transfer" },
    async handler(request, reply) {
      const { name } = request.params;
      const served = isMediaName(name) && !(await isWithheld(services.storage.read, name));
      const file = served ? await services.media.store.open(name) : null;
      if (!file) throw notFound("file");
      try {
        return await sendMedia(request, reply, name, file);
      } finally {
        await file[Symbol.asyncDispose]();
      }
    },
  });
}

/** Sends a stored file or a range of it. `own` replaces headers that media have otherwise. */
export async function sendMedia(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  file: StoredBytes,
  own: Record<string, string> = {},
) {
  const { headers, method } = request;
  const { bytes } = file;
  const tag = `"${name.slice(0, name.indexOf("."))}"`;
  reply.headers({
    ...harmless,
    "content-type": mimeOf(name),
    "cache-control": "public, max-age=31536000, immutable",
    etag: tag,
    "accept-ranges": "bytes",
    ...own,
  });
  if (isOriginal(name)) reply.header("content-disposition", "attachment");
  if (isKnown(request.headers, tag)) return reply.code(304).send();
  const condition = headers["if-range"];
  const range =
    method === "GET" && (condition === undefined || condition === tag) ? rangeOf(headers.range, bytes) : null;
  if (range === "unsatisfiable") {
    reply.header("content-range", `bytes */${bytes}`);
    throw new ApiError("range_not_satisfiable");
  }
  const { first, last } = range ?? { first: 0, last: bytes - 1 };
  reply.header("content-length", last - first + 1);
  if (range) reply.code(206).header("content-range", `bytes ${first}-${last}/${bytes}`);
  // Set explicitly: a reply without a body would say 0.
  if (method === "HEAD") return reply.send(Buffer.alloc(0));
  return reply.send(await file.stream(range ?? undefined));
}
