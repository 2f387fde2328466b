import { execFile } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { KEY_DIRECTORY_PATH, KEY_DIRECTORY_TYPE } from "@tandem/contract/signatures";
import { type Certificate, Origin } from "./origin.ts";
import { programOf } from "./programs.ts";
import { temporaryDirectory } from "./storage.ts";

/** A certificate for 127.0.0.1, which this process trusts from here on. */
export async function trustedCertificate(): Promise<Certificate> {
  await using folder = await temporaryDirectory();
  const how =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 -keyout key -out cert -addext subjectAltName=IP:127.0.0.1";
  await promisify(execFile)(await programOf("openssl"), how.split(" "), { cwd: folder.path });
  const [key, cert] = await Promise.all(
    ["key", "cert"].map((name) => readFile(join(folder.path, name), "utf8")),
  );
  setDefaultCACertificates([...getCACertificates("default"), String(cert)]);
  return { key: String(key), cert: String(cert) };
}

/** An Ed25519 key as a directory lists it, with its private half. */
export interface SigningKey {
  jwk: { kty: string; crv: string; x: string; kid: string };
  privateKey: KeyObject;
}

export function newSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  // RFC 7638.
  const kid = createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url");
  return { jwk: { kty: "OKP", crv: "Ed25519", x, kid }, privateKey };
}

export interface Signed {
  key: SigningKey;
  /** Each covered component, as it is written in `Signature-Input`, and its value. */
  components: readonly (readonly [identifier: string, value: string])[];
  /** In order, as they are written. */
  parameters: Readonly<Record<string, string | number>>;
  label?: string;
}

/** `Signature` and `Signature-Input`, put together by hand as RFC 9421 says, so that no library is tested against itself. */
export function signatureHeaders({ key, components, parameters, label = "sig1" }: Signed) {
  const values = Object.entries(parameters).map(([name, value]) => `;${name}=${JSON.stringify(value)}`);
  const input = `(${components.map(([identifier]) => identifier).join(" ")})${values.join("")}`;
  const lines = [...components, ['"@signature-params"', input] as const];
  const base = lines.map(([identifier, value]) => `${identifier}: ${value}`).join("\n");
  const signature = sign(null, Buffer.from(base), key.privateKey).toString("base64");
  return { "signature-input": `${label}=${input}`, signature: `${label}=:${signature}:` };
}

/** `Content-Digest` of a body. */
export function contentDigest(body: string | Buffer): string {
  return `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
}

/** A host that publishes the keys with which it signs requests. */
export class KeyDirectory implements AsyncDisposable {
  readonly origin: Origin;
  readonly key = newSigningKey();

  private constructor(origin: Origin) {
    this.origin = origin;
  }

  static async start(certificate: Certificate): Promise<KeyDirectory> {
    const directory = new KeyDirectory(await Origin.start("127.0.0.1", certificate));
    directory.publish([directory.key]);
    return directory;
  }

  /** As it is shown: host and port. */
  get host(): string {
    return `127.0.0.1:${this.origin.port}`;
  }

  publish(keys: readonly SigningKey[], headers: Record<string, string> = {}): void {
    this.origin.show(KEY_DIRECTORY_PATH, {
      headers: { "content-type": KEY_DIRECTORY_TYPE, ...headers },
      body: JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }),
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.origin[Symbol.asyncDispose]();
  }
}
