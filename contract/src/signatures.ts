import Type from "typebox";

/** Signatures of requests: HTTP message signatures (RFC 9421) in the profile of the IETF's group Web Bot Auth. */

/** The `tag` of their signatures. */
export const SIGNATURE_TAG = "web-bot-auth";

/** Where a signer publishes its keys, as a JWK Set of this media type. */
export const KEY_DIRECTORY_PATH = "/.well-known/http-message-signatures-directory";
export const KEY_DIRECTORY_TYPE = "application/http-message-signatures-directory+json";

/** How long a signature counts after its `created`, in seconds, even if its `expires` is later. */
export const SIGNATURE_LIFE = 3600;

/** The response header that says whether the request's signature was accepted. */
export const SIGNATURE_RESULT = "Signature-Result";

/** The host that publishes the key of a verified signature, with its port unless that is 443. */
export const Signer = Type.String({ examples: ["signer.example"] });
