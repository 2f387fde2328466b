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

/** Bytes that go in one request, the fewest that S3 allows: so much memory an upload takes. */
const PART = 5 * 2 ** 20;
/** Milliseconds. */
const TIMEOUTS = { connectionTimeout: 5000, socketTimeout: 30_000 };
/** Whoever watches holds a connection for as long, and pauses at will: only the answer's beginning has a time limit. */
const VIEWERS = {
  connectionTimeout: 5000,
  requestTimeout: 30_000,
  throwOnRequestTimeout: true,
  socketTimeout: 0,
  httpAgent: { maxSockets: 1000 },
  httpsAgent: { maxSockets: 1000 },
};

/**
 * Keeps media in a bucket of any store that speaks S3. Credentials are looked for where AWS's tools look. What the store
 * can't do now is `Overloaded`.
 */
export function s3Store({ bucket, prefix, endpoint, region }: S3Config, incoming: string): Store {
  const settings = {
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Stores other than AWS's don't all know the checksums that it would add.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  } as const;
  const client = new S3Client({ ...settings, requestHandler: TIMEOUTS });
  // Apart, so that many who watch keep no upload waiting.
  const viewers = new S3Client({ ...settings, requestHandler: VIEWERS });
  const at = (name: string) => ({ Bucket: bucket, Key: prefix + name });
  const read = async (from: S3Client, name: string, range?: string) => {
    const command = new GetObjectCommand({ ...at(name), ...(range && { Range: range }) });
    const { Body } = await available(from.send(command));
    return Body as Readable;
  };
  return {
    put: oneByOne(async (name: string, path: string) => {
      const params = { ...at(name), Body: createReadStream(path), ContentType: mimeOf(name) };
      const ContentLength = (await stat(path)).size;
      // One part after another: what waits lies on the disk rather than in memory.
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

/** Lets calls wait for one another: each takes memory for a part or two. */
function oneByOne<Args extends unknown[]>(work: (...args: Args) => Promise<void>) {
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

async function available<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new Overloaded("The media store doesn't answer as it should.", { cause });
  }
}
