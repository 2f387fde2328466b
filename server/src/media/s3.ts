import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { S3Config } from "../config.ts";
import { Overloaded } from "../storage/storage.ts";
import { inFolder } from "./folder.ts";
import { mimeOf } from "./names.ts";
import type { Store } from "./store.ts";

/** Bytes per part of a multipart upload, and so the memory that an upload takes. The minimum of S3. */
const PART = 5 * 2 ** 20;
/** Milliseconds. */
const TIMEOUTS = { connectionTimeout: 5000, socketTimeout: 30_000 };
/** Viewers hold a connection as long as they watch, and may pause. So only the start of the response has a timeout. */
const VIEWERS = {
  connectionTimeout: 5000,
  requestTimeout: 30_000,
  throwOnRequestTimeout: true,
  socketTimeout: 0,
  httpAgent: { maxSockets: 1000 },
  httpsAgent: { maxSockets: 1000 },
};

/**
 * Stores media in a bucket of any S3-compatible store. Credentials come from the default AWS sources. Errors of the
 * store are thrown as `Overloaded`.
 */
export function s3Store({ bucket, prefix, endpoint, region }: S3Config, incoming: string): Store {
  const settings = {
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Not all S3-compatible stores support the SDK's default checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  } as const;
  const client = new S3Client({ ...settings, requestHandler: TIMEOUTS });
  // A separate client, so that viewers don't exhaust the connections for uploads.
  const viewers = new S3Client({ ...settings, requestHandler: VIEWERS });
  const at = (name: string) => ({ Bucket: bucket, Key: prefix + name });
  const read = async (from: S3Client, name: string, range?: string) => {
    const command = new GetObjectCommand({ ...at(name), ...(range && { Range: range }) });
    const { Body } = await available(from.send(command));
    return Body as Readable;
  };
  return {
    put: serialized(async (name: string, path: string) => {
      const params = { ...at(name), Body: createReadStream(path), ContentType: mimeOf(name) };
      const ContentLength = (await stat(path)).size;
      // One part at a time, so that the rest waits on the disk instead of in memory.
      const upload = new Upload({
        client,
        params: ContentLength > PART ? params : { ...params, ContentLength },
        partSize: PART,
        queueSize: 1,
      });
      await available(upload.done());
    }),
    async open(name) {
      const head = await available(viewers.send(new HeadObjectCommand(at(name))).catch(absent));
      if (!head) return null;
      return {
        bytes: head.ContentLength ?? 0,
        stream: (range) => read(viewers, name, range && `bytes=${range.first}-${range.last}`),
        async [Symbol.asyncDispose]() {},
      };
    },
    withFile: (name, work) =>
      inFolder(incoming, async (folder) => {
        const content = await read(client, name).catch(absent);
        if (!content) return null;
        const path = join(folder, name);
        await pipeline(content, createWriteStream(path));
        return work(path);
      }),
    async remove(names) {
      for (const name of names) await available(client.send(new DeleteObjectCommand(at(name))));
    },
    async *list() {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix });
      for await (const { Contents = [] } of pages) {
        for (const { Key = "", LastModified } of Contents)
          yield { name: Key.slice(prefix.length), storedAt: LastModified?.getTime() ?? Date.now() };
      }
    },
  };
}

/** Serializes calls, because each takes memory for one or two parts. */
function serialized<Args extends unknown[]>(work: (...args: Args) => Promise<void>) {
  let last: Promise<void> = Promise.resolve();
  return (...args: Args): Promise<void> => {
    const call = last.then(() => work(...args));
    last = call.catch(() => {});
    return call;
  };
}

function absent(error: unknown): null {
  const cause = error instanceof Overloaded ? error.cause : error;
  if (cause instanceof S3ServiceException && cause.$metadata.httpStatusCode === 404) return null;
  throw error;
}

async function available<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (cause) {
    throw new Overloaded("The media store is unavailable.", { cause });
  }
}
