import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { OutgoingError } from "./outgoing-error.ts";

/**
 * Reads and decompresses a response. Stops after `maxBytes`, compressed or decompressed, so that a decompression bomb
 * can't exhaust memory. Then it throws {@link OutgoingError} or, with `partial`, returns what it has.
 */
export async function readAll(
  response: IncomingMessage,
  maxBytes: number,
  partial: boolean,
): Promise<Buffer> {
  const tooLarge = new OutgoingError("too_large", `The response is longer than ${maxBytes} bytes.`);
  const pieces: Buffer[] = [];
  let unpacked = 0;
  try {
    if (!partial && hasBody(response) && Number(response.headers["content-length"]) > maxBytes)
      throw tooLarge;
    endBeyond(response, maxBytes, tooLarge);
    for await (const piece of unpack(response)) {
      pieces.push(piece);
      unpacked += piece.length;
      if (unpacked > maxBytes) throw tooLarge;
    }
  } catch (error) {
    if (!partial || (error !== tooLarge && response.errored !== tooLarge)) throw error;
  } finally {
    response.destroy();
  }
  return Buffer.concat(pieces).subarray(0, maxBytes);
}

function endBeyond(response: IncomingMessage, maxBytes: number, error: OutgoingError): void {
  let arrived = 0;
  response.on("data", (piece: Buffer) => {
    arrived += piece.length;
    if (arrived > maxBytes) response.destroy(error);
  });
}

function unpack(response: IncomingMessage): Readable {
  const packing = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (packing === "identity" || packing === "" || !hasBody(response)) return response;
  const unpacking = {
    br: createBrotliDecompress,
    gzip: createUnzip,
    "x-gzip": createUnzip,
    deflate: createUnzip,
  };
  if (!(packing in unpacking))
    throw new OutgoingError("bad_answer", "The response has an unknown Content-Encoding.");
  const unpacked = unpacking[packing as keyof typeof unpacking]();
  // Errors surface on the stream that is read.
  pipeline(response, unpacked, () => {});
  return unpacked;
}

/** Some servers send a Content-Encoding even without a body. */
function hasBody({ statusCode, req, headers }: IncomingMessage & { req?: { method: string } }): boolean {
  return (
    statusCode !== 204 && statusCode !== 304 && req?.method !== "HEAD" && headers["content-length"] !== "0"
  );
}
