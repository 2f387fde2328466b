import { isUsername } from "@tandem/contract/fields";
import { limits } from "@tandem/contract/limits";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { notFound } from "./api-error.ts";

/** Who asks for a playlist. */
export interface Viewer {
  address: string;
  userAgent: string;
}

interface Live {
  /** An account's playlist; null if there is no such account. Calls `freePlace` before it waits for another server. */
  playlist(username: string, freePlace: () => void, viewer: Viewer | null): Promise<string | null>;
  /**
   * A recent picture of an account's stream, as WebP; null while there is none, undefined if there is no stream. Calls `freePlace`
   * likewise.
   */
  thumbnail(username: string, freePlace: () => void): Promise<Buffer | null | undefined>;
  slate: Promise<Buffer>;
  /** The slate's address, relative to the playlist. */
  slatePath: string;
}

/** The path of an account's playlist. */
export function playlistPath(username: string): string {
  return `/live/${username}/index.m3u8`;
}

/** The path of an account's thumbnail. */
export function thumbnailPath(username: string): string {
  return `/live/${username}/thumbnail.webp`;
}

/** Serves live playlists and thumbnails. Players on other sites may read them; the streams' segments are at the streaming server. */
export function serveLive(server: FastifyInstance, { playlist, thumbnail, slate, slatePath }: Live): void {
  const method = ["GET", "HEAD"];
  const open = { "access-control-allow-origin": "*" };
  server.route<{ Params: { username: string } }>({
    method,
    url: playlistPath(":username"),
    config: { cost: "cheap" },
    async handler(request, reply) {
      const { username } = request.params;
      const text = isUsername(username)
        ? await playlist(username, () => request.freePlace(), viewerOf(request))
        : null;
      if (text === null) throw notFound("account");
      const type = "application/vnd.apple.mpegurl";
      return reply.headers({ ...open, "content-type": type, "cache-control": "no-cache" }).send(text);
    },
  });
  server.route<{ Params: { username: string } }>({
    method,
    url: thumbnailPath(":username"),
    config: { cost: "cheap" },
    async handler(request, reply) {
      const { username } = request.params;
      const picture = isUsername(username) ? await thumbnail(username, () => request.freePlace()) : undefined;
      if (picture === undefined) throw notFound("picture");
      if (picture === null)
        return reply
          .headers({ ...open, "cache-control": "no-cache" })
          .code(204)
          .send();
      const caching = `public, max-age=${limits.liveThumbnailSeconds}`;
      return reply.headers({ ...open, "content-type": "image/webp", "cache-control": caching }).send(picture);
    },
  });
  server.route({
    method,
    url: `/live/:username/${slatePath}`,
    config: { cost: "cheap" },
    async handler(_request, reply) {
      const caching = "public, max-age=86400";
      return reply
        .headers({ ...open, "content-type": "video/mp2t", "cache-control": caching })
        .send(await slate);
    },
  });
}

/** HEAD requests watch nothing. */
function viewerOf({ method, ip, headers }: FastifyRequest): Viewer | null {
  return method === "GET" ? { address: ip, userAgent: headers["user-agent"] ?? "" } : null;
}
