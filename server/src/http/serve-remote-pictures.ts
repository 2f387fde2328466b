import { DAY, HOUR } from "@tandem/contract/durations";
import { REMOTE_PICTURES_PATH } from "@tandem/contract/remote-pictures";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RemoteSize } from "../media/pictures.ts";
import type { StoredBytes } from "../media/store.ts";
import { notFound } from "./api-error.ts";
import { sendMedia } from "./serve-media.ts";

/** Who shows a picture. */
export type PictureOwner =
  | { kind: "post"; id: number }
  | { kind: "product"; id: number }
  | { kind: "creator"; platform: string; author: string };

export interface PictureRequest {
  owner: PictureOwner;
  url: string;
  size: RemoteSize;
  /** The client's IP address. */
  address: string;
}

/** Finds a picture that its owner shows, or throws an `ApiError`. Calls `freePlace` before it waits for another host or the store. */
type Find = (request: PictureRequest, freePlace: () => void) => Promise<{ name: string; file: StoredBytes }>;

/** The address contains the picture's own, so it never shows another. But a withdrawn picture leaves all caches in time. */
const LASTING = `public, max-age=${(7 * DAY) / 1000}, immutable`;
/** A creator's address shows the current avatar, whatever it contains, and a product's gets an AI mark with the product. */
const CURRENT = `public, max-age=${HOUR / 1000}`;

/** Serves pictures of other hosts, so that these see this server instead of its readers. */
export function serveRemotePictures(server: FastifyInstance, find: Find): void {
  const serve = (path: string, size: RemoteSize, ownerOf: (request: FastifyRequest) => PictureOwner) =>
    server.route({
      method: ["GET", "HEAD"],
      url: REMOTE_PICTURES_PATH + path,
      config: { cost: "cheap" },
      async handler(request, reply) {
        const { url, full } = request.query as Record<string, unknown>;
        if (typeof url !== "string") throw notFound("picture");
        const owner = ownerOf(request);
        const wanted = { owner, url, size: full === undefined ? size : "full", address: request.ip } as const;
        const { name, file } = await find(wanted, () => request.freePlace());
        try {
          return await sendMedia(request, reply, name, file, {
            "cache-control": owner.kind === "post" ? LASTING : CURRENT,
            // Other sites can show the original: nothing is fetched for their readers.
            "cross-origin-resource-policy": "same-origin",
          });
        } finally {
          await file[Symbol.asyncDispose]();
        }
      },
    });
  serve("posts/:id", "card", (request) => ({ kind: "post", id: idOf(request) }));
  serve("products/:id", "card", (request) => ({ kind: "product", id: idOf(request) }));
  serve("creators/:platform/:author", "avatar", ({ params }) => ({
    kind: "creator",
    ...(params as { platform: string; author: string }),
  }));
}

function idOf({ params }: FastifyRequest): number {
  const { id } = params as { id: string };
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound("picture");
  return Number(id);
}
