import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { adaptSample } from "./adapt-sample.ts";
import { freePort } from "./ports.ts";
import { startProgram } from "./start-program.ts";
import { temporaryDirectory } from "./storage.ts";

const file = fileURLToPath(new URL("../../docs/deploy/haproxy.cfg", import.meta.url));

/** Certificate, and the HTTP port that redirects to HTTPS. */
export interface TlsOptions {
  /** Path of a file with certificate and key. */
  pem: string;
  plainPort: number;
}

/**
 * Starts HAProxy with docs/deploy/haproxy.cfg on this port, in front of as many servers as that sample has. Without a certificate
 * it speaks plain HTTP.
 */
export async function startHaproxy(
  port: number,
  servers: string[],
  secured?: TlsOptions,
): Promise<AsyncDisposable> {
  const directory = await temporaryDirectory();
  const left = [...servers];
  const plainPort = secured?.plainPort ?? (await freePort());
  const tls = secured ? ` ssl crt ${secured.pem} alpn h2,http/1.1` : "";
  const config = adaptSample(file, await readFile(file, "utf8"), [
    [/^( +bind) :::80 v4v6$/gm, `$1 127.0.0.1:${plainPort}`, 1],
    [
      /^( +bind) :::443 v4v6 ssl crt \/etc\/haproxy\/tandem\.pem alpn h2,http\/1\.1$/gm,
      `$1 127.0.0.1:${port}${tls}`,
      1,
    ],
    [/^( +server \w+) \S+$/gm, (_, server) => `${server} ${left.shift()}`, servers.length],
  ]);
  const path = join(directory.path, "haproxy.cfg");
  await writeFile(path, config);
  const proxy = await startProgram("haproxy", ["-db", "-f", path], port);
  return {
    async [Symbol.asyncDispose]() {
      await proxy.kill();
      await directory[Symbol.asyncDispose]();
    },
  };
}
