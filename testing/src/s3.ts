import { rm } from "node:fs/promises";
import S3rver from "@20minutes/s3rver";
import { scratchDirectory } from "./scratch.ts";

const BUCKET = "tandem-media";
const KEY = "S3RVER";

/** A local S3 server with an empty bucket. */
export interface S3 extends AsyncDisposable {
  mediaUrl: string;
}

export async function startS3(): Promise<S3> {
  const directory = await scratchDirectory("tandem-s3");
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    // s3rver rejects the signature of requests whose path ends in a slash, such as listing a bucket.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  // The AWS SDK reads these; s3rver accepts only this key.
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: KEY });
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  return {
    mediaUrl: `s3://${BUCKET}/some/prefix?endpoint=${endpoint}&region=us-east-1`,
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
