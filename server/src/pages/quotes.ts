import { heading, paragraph } from "../discovery/prose.ts";
import { postInList, warning } from "./parts.ts";
import { nextPage, type Show } from "./show.ts";

/** `/posts/{id}/quotes`: the posts that quote a post, newest first. */
export const quotes: Show = async ({ services, call, params, query, at }) => {
  const { posts, nextCursor } = await call("listQuotes", { params, query });
  const id = Number(params.id);
  return {
    title: `Quotes of post ${id}`,
    blocks: [
      heading(1, "Quotes of ", { href: at.post(id), text: `post ${id}` }),
      warning,
      ...posts.map((post) => postInList(post, at, services.now())),
      ...(posts.length === 0 ? [paragraph("There are none.")] : []),
      ...nextPage(at.quotes(id), query, nextCursor),
    ],
  };
};
