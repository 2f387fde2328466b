import { documents } from "@tandem/contract/documents";
import { operations } from "@tandem/contract/operations";
import { heading, type Inline, paragraph } from "../discovery/prose.ts";
import { commentInList, warning, wholePost } from "./parts.ts";
import { nextPage, type Show } from "./show.ts";

/** `/posts/{id}`: a post with its comments, oldest first, as many as `GET /api/posts/{id}/comments` gives at a time. */
export const post: Show = async ({ house, ask, params, query, at }) => {
  const { post } = await ask("readPost", { params });
  const { comments, nextCursor } = await ask("listComments", { params, query });
  const { id, title } = post;
  const { method, path } = operations.createComment;
  const reference: Inline = { href: `${house.baseUrl}${documents.reference}`, text: "the reference" };
  const named: Inline[] = title === null ? [] : [": ", { foreign: title }];
  return {
    address: (where) => where.post(id),
    page: {
      title: title ?? `Post ${id}`,
      blocks: [
        heading(1, `Post ${id}`, ...named),
        warning,
        ...wholePost(post, at),
        heading(2, "Comments"),
        ...comments.map(commentInList),
        ...(comments.length === 0 ? [paragraph("There are none.")] : []),
        ...nextPage(at.post(id), query, nextCursor),
        paragraph(`To answer: \`${method} ${path.replace("{id}", String(id))}\`, as `, reference, " tells."),
      ],
    },
  };
};
