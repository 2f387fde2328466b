import { isUsername } from "@tandem/contract/fields";
import type { FastifyInstance } from "fastify";
import { notFound } from "./api-error.ts";

interface Live {
  /** An account's playlist; null if there is no such account. Calls `freePlace` before it waits for another server. */
  playlist(username: string, freePlace: () => void): Promise<string | null>;
  slate: Promise<Buffer>;
  /** The slate's address, relative to the playlist. */
  slatePath: string;
}

/** The path of an account's playlist. */
export function playlistPath(username: string): string {
  return `/live/${username}/index.m3u8`;
}

/** Serves live playlists. Players on other sites may read them; the streams' segments are at the streaming server. */
export function serveLive(server: FastifyInstance, { playlist, slate, slatePath }: Live): void {
  const method = ["GET", "HEAD"];
  const open = { "access-control-allow-origin": "*" };
  server.route<{ Params: { username: string } }>({
    method,
    url: playlistPath(":username"),
    config: { cost: "cheap" },
    async handler(request, reply) {
      const { username } = request.params;
      const text = isUsername(username) ? await playlist(username, () => request.freePlace()) : null;
      if (text === null) throw notFound("account");
      const type = "application/vnd.apple.mpegurl";
      return reply.headers({ ...open, "content-type": type, "cache-control": "no-cache" }).send(text);
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
