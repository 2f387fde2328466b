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

/** A local identity provider: discovery document, published keys, signed ID tokens. */
export class Issuer implements AsyncDisposable {
  readonly clientId = "tandem-client";
  /** Status of the keys' address; anything but 200 simulates an outage. */
  keysStatus = 200;
  /** Serves its sign-in pages, if it has any. */
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

  /** A signed token; valid unless the given claims or header make it invalid. */
  async token(claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    return sign(this.#key, this.claims(claims), header);
  }

  /** This provider's claims. Undefined ones are left out. */
  claims(claims: JWTPayload): JWTPayload {
    const iat = Math.floor(Date.now() / 1000);
    return { iss: this.url, aud: this.clientId, iat, exp: iat + 3600, ...claims };
  }

  /** Replaces the published key with a new one. */
  async rotate(): Promise<void> {
    this.#serial += 1;
    this.#key = await newKey(`key-${this.#serial}`, "ES256");
  }

  /** The public key. */
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
