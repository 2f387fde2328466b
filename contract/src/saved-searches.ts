import Type, { type Static } from "typebox";
import { listPosts } from "./operations/posts.ts";
import { userText } from "./resources.ts";
import { Id, Time } from "./schema.ts";

const { q, sort, media, author, platform, community, provenance, basis, since, until } =
  listPosts.query.properties;

/** The filters of `GET /api/posts` that a saved search can have. */
export const searchFilters = {
  sort,
  q,
  media,
  author,
  platform,
  provenance,
  basis,
  since,
  until,
  community,
};

/** Visible only to the account that saved it. */
export const SavedSearch = Type.Object(
  {
    id: Id,
    name: userText("Engines on video"),
    query: Type.Object(
      {
        q: Type.Optional(userText("engine")),
        sort: Type.Optional(Type.String({ examples: ["hot"] })),
        media: Type.Optional(Type.String({ examples: ["video"] })),
        author: Type.Optional(userText("ada_l")),
        platform: Type.Optional(userText("native")),
        community: Type.Optional(userText("weaving")),
        provenance: Type.Optional(Type.String({ examples: ["human"] })),
        basis: Type.Optional(Type.String({ examples: ["declared,origin"] })),
        since: Type.Optional(Type.String({ examples: ["2026-01-31"] })),
        until: Type.Optional(Type.String({ examples: ["2026-12-31"] })),
      },
      {
        description: "Pass these to `GET /api/posts` to run it.",
        examples: [{ q: "engine", media: "video" }],
      },
    ),
    createdAt: Time,
  },
  { $id: "SavedSearch", description: "A search of posts that you saved." },
);
export type SavedSearch = Static<typeof SavedSearch>;
