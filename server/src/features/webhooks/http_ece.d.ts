/** http_ece, as far as it is used here; it has no types of its own. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  interface Sealing {
    version: "aes128gcm";
    /** The receiver's public key and the secret shared with it, in base64url. */
    dh: string;
    authSecret: string;
    /** A pair of the sender's, made for this message. */
    privateKey: ECDH;
  }

  const ece: { encrypt(plain: Buffer, how: Sealing): Buffer };
  export default ece;
}
