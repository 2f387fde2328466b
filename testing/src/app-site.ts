import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { programOf } from "./programs.ts";
import { temporaryDirectory } from "./storage.ts";

/** A website over https on this machine, whose certificate this process trusts while it runs. */
export interface AppSite extends AsyncDisposable {
  readonly url: string;
  /** The paths that were requested. */
  readonly requested: string[];
}

export async function startAppSite(
  respond: (path: string, response: ServerResponse, url: string) => void,
): Promise<AppSite> {
  const folder = await temporaryDirectory();
  const how =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout key -out cert";
  await promisify(execFile)(await programOf("openssl"), how.split(" "), { cwd: folder.path });
  const [key, cert] = await Promise.all(
    ["key", "cert"].map((name) => readFile(join(folder.path, name), "utf8")),
  );
  await folder[Symbol.asyncDispose]();
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, String(cert)]);
  const requested: string[] = [];
  const server = createServer({ key, cert }, ({ url = "" }: IncomingMessage, response) => {
    requested.push(url);
    respond(url, response, base());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: base(),
    requested,
    async [Symbol.asyncDispose]() {
      setDefaultCACertificates(trusted);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
