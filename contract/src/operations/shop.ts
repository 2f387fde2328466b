import Type from "typebox";
import { byId, Cursor, fieldsOf, Link, NextCursor, PageSize } from "../fields.ts";
import { limits } from "../limits.ts";
import { anyone, operation, scope } from "../operation.ts";
import { Price, Product } from "../post-resources.ts";
import { flag, Id, nullable, optional, privateText, publicLine, publicText, singleLine } from "../schema.ts";

const area = "Shop";
const Title = publicLine(limits.productTitle, { examples: ["A fine teapot"] });
const details = {
  imageUrl: optional(nullable(Link)),
  price: optional(nullable(Price, { examples: ["12.50 EUR"] })),
  category: optional(
    nullable(Type.String({ ...publicText(0, limits.productCategory), ...singleLine }), {
      examples: ["Kitchen"],
    }),
  ),
};

export const listProducts = operation({
  name: "listProducts",
  area,
  route: "GET /api/products",
  access: anyone,
  query: {
    mine: optional(
      flag({ description: "Only your own products, with their original URLs.", "x-needs-caller": true }),
    ),
    category: optional(
      privateText(1, limits.productCategory, {
        description: "Only products of this category; the full name.",
        examples: ["Kitchen"],
      }),
    ),
    limit: optional(PageSize),
    cursor: optional(Cursor),
    fields: fieldsOf(Product),
  },
  response: { products: Type.Array(Product), nextCursor: NextCursor },
  description: "List products, newest first.",
});

export const createProduct = operation({
  name: "createProduct",
  area,
  route: "POST /api/products",
  access: scope("products:write"),
  body: { title: Title, url: Link, ...details },
  response: { product: Product },
  description:
    "Add a product. The price is stored as sent; the app shows one with an ISO 4217 currency, such as `12.50 EUR`, in the reader's notation.",
});

export const editProduct = operation({
  name: "editProduct",
  area,
  route: "PATCH /api/products",
  access: scope("products:write"),
  body: { id: Id, title: optional(Title), url: optional(Link), ...details },
  response: { product: Product },
  errors: ["not_found", "community_banned", "ai_policy", "community_closed"],
  description:
    "Edit one of your products, and its cards on posts. Null clears an optional field. If a key changes what the cards show, it marks those posts as AI content. What the cards show can change only if you could publish in the communities of all those posts.",
});

export const deleteProduct = operation({
  name: "deleteProduct",
  area,
  route: "DELETE /api/products",
  access: scope("products:write"),
  body: { id: Id },
  response: { deleted: Type.Literal(true) },
  errors: ["not_found"],
  whileSuspended: true,
  description:
    "Permanently delete a product and remove it from the posts that show it. Its clicks of the last days are deleted; your total number of clicks stays.",
});

export const openProduct = operation({
  name: "openProduct",
  area,
  route: "GET /out/{id}",
  access: anyone,
  params: byId,
  query: { post: optional(Id) },
  response: { location: Type.String({ examples: ["https://example.org/teapot"] }) },
  redirects: true,
  errors: ["not_found"],
  exposure: "hidden",
  description:
    "Redirect to a product's page and count the click. With `post`, the click also counts for that post.",
});
