import Type from "typebox";
import { byId } from "../fields.ts";
import { currentKinds } from "../log/entry.ts";
import { anyone, operation } from "../operation.ts";
import { Receipt } from "../receipts.ts";
import { oneOf, optional } from "../schema.ts";

const Version = Type.Integer({
  minimum: 1,
  maximum: 2 ** 31 - 1,
  description: "The number of the version; the current one by default.",
  examples: [1],
});

const receipt = {
  access: anyone,
  params: byId,
  query: { version: optional(Version) },
  response: { receipt: Receipt },
  errors: ["not_found", "no_receipt"],
} as const;

export const readPostReceipt = operation({
  ...receipt,
  name: "readPostReceipt",
  area: "Posts",
  route: "GET /api/posts/{id}/receipt",
  description:
    "Get a post's receipt: a signed statement, and the proof that this version is in the public transparency log.",
});

export const readCommentReceipt = operation({
  ...receipt,
  name: "readCommentReceipt",
  area: "Comments",
  route: "GET /api/comments/{id}/receipt",
  description: "Get a comment's receipt, which is like a post's.",
});

export const readReceipt = operation({
  name: "readReceipt",
  area: "Creators and follows",
  route: "GET /api/receipts/{kind}/{name}",
  access: anyone,
  params: {
    kind: oneOf(currentKinds, { examples: ["profile"] }),
    name: Type.String({
      minLength: 1,
      maxLength: 40,
      pattern: "^[A-Za-z0-9_.-]+$",
      "x-rule": "can contain only letters A-Z, digits, _ . and -",
      description:
        "A product's id, an account's username (of a profile or live stream), or a community's name.",
      examples: ["ada_l"],
    }),
  },
  response: { receipt: Receipt },
  errors: ["not_found", "no_receipt"],
  description:
    "Get the receipt of a product, profile, live stream or community as it is now, which is like a post's. Earlier versions have none.",
});
