import Type from "typebox";
import { Link } from "./fields.ts";
import { limits } from "./limits.ts";
import { provenances } from "./resources.ts";
import { Id, nullable, oneOf, optional, publicLine, publicText } from "./schema.ts";

export const Title = publicLine(limits.postTitle, { examples: ["A note on the engine"] });
export const Body = nullable(publicText(0, limits.postBody), {
  examples: ["It might act upon other things besides number."],
});

export const Alt = nullable(publicText(0, limits.alt, { examples: ["A loom with punched cards."] }), {
  description: "What the picture or video shows, in words, for those who can't see it.",
});

/** What a new post is made of, be it published or kept. */
export const postFields = {
  title: Title,
  body: optional(Body),
  url: optional(nullable(Link)),
  productIds: optional(
    nullable(Type.Array(Id, { maxItems: limits.productsPerPost }), {
      description: "Of the caller's own products.",
    }),
  ),
  provenance: optional(
    oneOf(provenances, {
      "x-no-tool": true,
      description: "A person may declare AI's part. What a key or agent sends here is ignored.",
    }),
  ),
  alt: optional(Alt),
};
