import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";

type Algorithm = "RS256" | "ES256";

interface SigningKey {
  header: JWTHeaderParameters;
  secret: CryptoKey;
  published: JWK;
}

/** An identity provider on a socket of its own: discovery document, published keys, signed ID tokens. */
export class Issuer implements AsyncDisposable {
  readonly clientId = "tandem-client";
  /** What the keys' address answers; anything but 200 is a provider in trouble. */
  keysStatus = 200;
  /** Answers whatever it has pages for, where it has any. */
  pages: RequestListener | null = null;
  readonly #server: Server;
  #key: SigningKey;
  #serial = 1;

  private constructor(key: SigningKey) {
    this.#key = key;
    this.#server = createServer((request, response) => {
      const isKeys = request.url === "/keys";
      const isPage = !isKeys && !request.url?.startsWith("/.well-known/");
      if (isPage && this.pages) return this.pages(request, response);
      response.writeHead(isKeys ? this.keysStatus : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(isKeys ? { keys: [this.#key.published] } : this.#discovery()));
    });
  }

  static async start(algorithm: Algorithm = "ES256"): Promise<Issuer> {
    const issuer = new Issuer(await newKey("key-1", algorithm));
    await new Promise<void>((resolve) => issuer.#server.listen(0, "127.0.0.1", resolve));
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A token for `sub`, good in every way that the claims and header given don't spoil. */
  async token(claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    return sign(this.#key, this.claims(claims), header);
  }

  /** Claims as this provider makes them. What is given as undefined is left out. */
  claims(claims: JWTPayload): JWTPayload {
    const iat = Math.floor(Date.now() / 1000);
    return { iss: this.url, aud: this.clientId, iat, exp: iat + 3600, ...claims };
  }

  /** Publishes a new key in the place of the old one. */
  async rotate(): Promise<void> {
    this.#serial += 1;
    this.#key = await newKey(`key-${this.#serial}`, "ES256");
  }

  /** The key as everyone can read it. */
  get publishedKey(): JWK {
    return this.#key.published;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #discovery() {
    return { issuer: this.url, jwks_uri: `${this.url}/keys` };
  }
}

async function newKey(kid: string, alg: Algorithm): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return {
    header: { alg, kid },
    secret: privateKey,
    published: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" },
  };
}

function sign({ header, secret }: SigningKey, claims: JWTPayload, more: Partial<JWTHeaderParameters>) {
  return new SignJWT(claims).setProtectedHeader({ ...header, ...more }).sign(secret);
}
