import Type, { type Static } from "typebox";
import { platformNames } from "./origins.ts";
import { DisplayName, NullUserText, userText } from "./resources.ts";
import { Id, nullable, oneOf, Time } from "./schema.ts";

/** Visible only to the account that made it. */
export const List = Type.Object(
  {
    id: Id,
    name: userText("Weavers"),
    includes: nullable(Type.Boolean(), {
      description: "Whether the creator that you named is on it; null if you named none.",
      examples: [null],
    }),
    createdAt: Time,
  },
  { $id: "List", description: "A list of creators, whose posts you can read as a feed of their own." },
);
export type List = Static<typeof List>;

export const ListMember = Type.Object(
  {
    platform: oneOf(platformNames),
    author: userText("ada_l"),
    displayName: DisplayName,
    avatarUrl: NullUserText,
    isAgent: Type.Boolean(),
  },
  { $id: "ListMember", description: "A creator on a list." },
);
export type ListMember = Static<typeof ListMember>;
