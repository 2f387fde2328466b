import { createHash, generateKeyPairSync, sign } from "node:crypto";

/** Where a passkey is used: the relying party's id and the page's origin. */
export interface Site {
  id: string;
  origin: string;
}

export function siteOf(baseUrl: string): Site {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, origin };
}

const PRESENT = 1;
const VERIFIED = 4;
const ATTESTED = 64;

/** A device with one passkey (ES256) and a use counter, for tests without a browser. */
export class Authenticator {
  readonly id: string;
  counter = 0;
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });

  constructor(id = createHash("sha256").update(Math.random().toString()).digest("base64url")) {
    this.id = id;
  }

  /** In COSE format, as the service stores it. */
  get publicKey(): Buffer {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const coordinate = (mark: number, text: string) =>
      Buffer.concat([Buffer.from([mark, 0x58, 32]), Buffer.from(text, "base64url")]);
    const kind = Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]);
    return Buffer.concat([kind, coordinate(0x21, x), coordinate(0x22, y)]);
  }

  /** What a browser sends after creating the passkey. */
  make(site: Site, challenge: string, flags = PRESENT | VERIFIED) {
    const id = Buffer.from(this.id, "base64url");
    const size = Buffer.alloc(2);
    size.writeUInt16BE(id.length);
    const about = Buffer.concat([Buffer.alloc(16), size, id, this.publicKey]);
    const data = Buffer.concat([this.#data(site, flags | ATTESTED), about]);
    const length = Buffer.from([0x59, data.length >> 8, data.length & 255]);
    const object = Buffer.concat([
      Buffer.from("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData", "latin1"),
      length,
      data,
    ]);
    return {
      id: this.id,
      clientDataJSON: clientData("webauthn.create", site, challenge).toString("base64url"),
      attestationObject: object.toString("base64url"),
    };
  }

  /** What a browser sends to sign in with it. */
  prove(site: Site, challenge: string, flags = PRESENT | VERIFIED) {
    this.counter += 1;
    const client = clientData("webauthn.get", site, challenge);
    const data = this.#data(site, flags);
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    return {
      id: this.id,
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", signed, this.#keys.privateKey).toString("base64url"),
    };
  }

  #data({ id }: Site, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([createHash("sha256").update(id).digest(), Buffer.from([flags]), counter]);
  }
}

function clientData(type: string, { origin }: Site, challenge: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
