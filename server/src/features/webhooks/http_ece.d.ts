/** Types for the part of http_ece that is used here: the package has none. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  interface EncryptOptions {
    version: "aes128gcm";
    /** The receiver's public key and the authentication secret, in base64url. */
    dh: string;
    authSecret: string;
    /** The sender's key pair, created for this message. */
    privateKey: ECDH;
  }

  const ece: { encrypt(plain: Buffer, options: EncryptOptions): Buffer };
  export default ece;
}
