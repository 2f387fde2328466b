import Type, { type Static } from "typebox";
import { platformNames } from "./origins.ts";
import { Name, UserText } from "./resources.ts";
import { nullable, oneOf } from "./schema.ts";
import { Signer } from "./signatures.ts";

const InclusionProof = Type.Object({
  index: Type.Integer({ minimum: 0, description: "The entry's place in the log, from 0.", examples: [1] }),
  path: Type.Array(Type.String(), {
    description: "The hashes from the entry to the root (RFC 6962), in base64.",
    examples: [["s1VTM8yq8bpTK4f5vY6gP4jRoOk4zTTKc7Y1cNsLhLE="]],
  }),
  checkpoint: Type.String({
    description:
      "The signed state of the log that the path leads to: a checkpoint (c2sp.org/tlog-checkpoint).",
    examples: [
      "example.org/log\n2\nfSMpYS+5xmCB5dlOxXwIPtQTUFsRVPtzZD/PQXZUDYo=\n\n\u2014 example.org/log U2lnbmF0dXJl\n",
    ],
  }),
});

export const Receipt = Type.Object(
  {
    statement: Type.String({
      description:
        "A JWS by a key of `/.well-known/jwks.json`: the service's promise that `entry` is in its log, or will be.",
      examples: ["eyJhbGciOiJFZERTQSJ9.eyJlbnRyeSI6IuKApiJ9.c2lnbmF0dXJl"],
    }),
    entry: Type.String({
      description: "The log entry, whose exact text is hashed. It contains hashes instead of text and names.",
      examples: ['{"author":"…","basis":"declared","content":"…","id":42,"kind":"post"}'],
    }),
    salt: Type.String({
      description: "What the hashes in the entry begin with, in base64url. Deleted with what it is about.",
      examples: ["q1Uk3Zr0Qm2sLyyh1yV2bA"],
    }),
    media: nullable(UserText, {
      description:
        "What the entry covers of a picture, video or link: `sha256:` and an uploaded file's hash, or an address. Of a profile, it is the avatar; of a product, `sha256:` and the hash of the address that it links to.",
      examples: [null],
    }),
    pictures: Type.Optional(
      Type.Array(Type.String({ "x-user-text": true }), {
        description:
          "The same as `media` of each picture of a native post with several, in their order; absent from all else.",
      }),
    ),
    banner: nullable(UserText, { description: "The same of a profile's banner.", examples: [null] }),
    platform: oneOf(platformNames),
    author: Name,
    operator: nullable(Name, {
      description: "The person responsible, if an agent wrote it.",
      examples: [null],
    }),
    signer: nullable(Signer, {
      description:
        "The host whose key signed the request that published this version, with its credential and body (Web Bot Auth): it says whose software sent it. Null without such a signature, and where the request brings only a part of the version, as the edit of a post does.",
      examples: [null],
    }),
    proof: nullable(InclusionProof, {
      description: "Null until the entry is in the log, which takes some seconds.",
    }),
  },
  {
    $id: "Receipt",
    description: "What proves that a version was published as it is. See docs/transparency-log.md.",
  },
);
export type Receipt = Static<typeof Receipt>;
