import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { adaptSample } from "./adapt-sample.ts";
import { startHaproxy } from "./haproxy.ts";
import { freePort } from "./ports.ts";
import { programOf } from "./programs.ts";
import { startProgram } from "./start-program.ts";
import { temporaryDirectory } from "./storage.ts";

/** The host name in the samples. */
export const site = "tandem.example.org";

/** A reverse proxy configured like its sample in docs/deploy, with a self-signed certificate. */
export interface HttpsProxy extends AsyncDisposable {
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The certificate that clients must trust. */
  readonly ca: Buffer;
}

interface Place {
  folder: string;
  httpsPort: number;
  httpPort: number;
  cert: string;
  key: string;
  /** Certificate and key in one file. */
  pem: string;
}

/** Each starts a proxy in front of the service at this host and port. */
const starters = { nginx, HAProxy: haproxy, Caddy: caddy } satisfies Record<
  string,
  (place: Place, tandem: string) => Promise<AsyncDisposable>
>;

export type ProxyName = keyof typeof starters;
export const proxyNames = Object.keys(starters) as ProxyName[];

export async function startProxy(name: ProxyName, baseUrl: string): Promise<HttpsProxy> {
  const directory = await temporaryDirectory();
  const at = (file: string) => join(directory.path, file);
  const [cert, key, pem] = [at("cert.pem"), at("key.pem"), at("both.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const names = ["-subj", `/CN=${site}`, "-addext", `subjectAltName=DNS:${site}`];
  const files = ["-keyout", key, "-out", cert];
  await promisify(execFile)(await programOf("openssl"), ["req", ...kind, ...names, ...files]);
  const ca = await readFile(cert);
  await writeFile(pem, Buffer.concat([ca, await readFile(key)]));
  const [httpsPort, httpPort] = [await freePort(), await freePort()];
  const place = { folder: directory.path, httpsPort, httpPort, cert, key, pem };
  const proxy = await starters[name](place, new URL(baseUrl).host);
  return {
    httpsPort,
    httpPort,
    ca,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

async function nginx(place: Place, tandem: string): Promise<AsyncDisposable> {
  const sample = sampleOf("nginx.conf");
  const config = adaptSample(sample, await readFile(sample, "utf8"), [
    [/^ +listen \[::\]:\d+[^;]*;$/gm, "", 2],
    [/^ +listen 80;$/gm, `listen 127.0.0.1:${place.httpPort};`, 1],
    [/^ +listen 443 /gm, `listen 127.0.0.1:${place.httpsPort} `, 1],
    [/\/etc\/letsencrypt\/live\/tandem\.example\.org\/fullchain\.pem/g, place.cert, 1],
    [/\/etc\/letsencrypt\/live\/tandem\.example\.org\/privkey\.pem/g, place.key, 1],
    [/\b127\.0\.0\.1:3000\b/g, tandem, 1],
  ]);
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const around = [
    `pid ${place.folder}/pid;`,
    "events { worker_connections 1000; }",
    "http {",
    "access_log off;",
    // As in Debian's nginx.conf.
    "gzip on;",
    ...kinds.map((kind) => `${kind}_temp_path ${place.folder}/${kind};`),
    "include tandem.conf;",
    "}",
  ];
  await writeFile(join(place.folder, "tandem.conf"), config);
  const path = join(place.folder, "nginx.conf");
  await writeFile(path, around.join("\n"));
  // A single process, so that nothing survives it.
  const single = "daemon off; master_process off;";
  return startProgram(
    "nginx",
    ["-p", place.folder, "-e", "stderr", "-c", path, "-g", single],
    place.httpsPort,
  );
}

/** The sample balances over three processes; here all three are the same. */
function haproxy(place: Place, tandem: string): Promise<AsyncDisposable> {
  const secured = { pem: place.pem, plainPort: place.httpPort };
  return startHaproxy(place.httpsPort, [tandem, tandem, tandem], secured);
}

async function caddy(place: Place, tandem: string): Promise<AsyncDisposable> {
  const sample = sampleOf("Caddyfile");
  const options = `admin off\nhttp_port ${place.httpPort}\nhttps_port ${place.httpsPort}\n`;
  const config = adaptSample(sample, await readFile(sample, "utf8"), [
    [/^\{\$TANDEM_SITE:tandem\.example\.org\} \{$/gm, `$&\ntls ${place.cert} ${place.key}`, 1],
  ]);
  const path = join(place.folder, "Caddyfile");
  await writeFile(path, `{\n${options}}\n${config}`);
  const home = join(place.folder, "home");
  await mkdir(home);
  const env = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, TANDEM_UPSTREAM: tandem };
  return startProgram("caddy", ["run", "--adapter", "caddyfile", "--config", path], place.httpsPort, { env });
}

function sampleOf(name: string): string {
  return fileURLToPath(new URL(`../../docs/deploy/${name}`, import.meta.url));
}
