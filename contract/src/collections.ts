import Type, { type Static } from "typebox";
import { userText } from "./resources.ts";
import { Count, Id, nullable, Time } from "./schema.ts";

/** Visible only to the account that made it. */
export const Collection = Type.Object(
  {
    id: Id,
    name: userText("To weave"),
    postCount: Type.Integer({
      ...Count,
      description: "The posts in it, with those that you can't see at present.",
    }),
    includes: nullable(Type.Boolean(), {
      description: "Whether the post that you named is in it; null if you named none.",
      examples: [null],
    }),
    createdAt: Time,
  },
  { $id: "Collection", description: "A collection of posts that you saved." },
);
export type Collection = Static<typeof Collection>;
