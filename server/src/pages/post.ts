import { documents } from "@tandem/contract/documents";
import { operations } from "@tandem/contract/operations";
import { nativePlatform } from "@tandem/contract/origins";
import type { Post } from "@tandem/contract/post-resources";
import type { Block } from "../discovery/prose.ts";
import { heading, type Inline, paragraph } from "../discovery/prose.ts";
import { commentInList, postInList, warning, wholePost } from "./parts.ts";
import { nextPage, type PageRequest, type Show } from "./show.ts";

/** `/posts/{id}`: a post, other posts with the same link, and its comments, oldest first, as many as a page of `GET /api/posts/{id}/comments`. */
export const post: Show = async ({ services, call, params, query, at }) => {
  const { post } = await call("readPost", { params });
  const { comments, nextCursor } = await call("listComments", { params, query });
  const { id, title } = post;
  const { method, path } = operations.createComment;
  const reference: Inline = { href: `${services.baseUrl}${documents.reference}`, text: "the reference" };
  const named: Inline[] = title === null ? [] : [": ", { foreign: title }];
  return {
    title: title ?? `Post ${id}`,
    blocks: [
      heading(1, `Post ${id}`, ...named),
      warning,
      ...wholePost(post, at, services.now()),
      ...(await othersOf(post, { services, call, at })),
      heading(2, "Comments"),
      ...comments.map((comment) => commentInList(comment, at)),
      ...(comments.length === 0 ? [paragraph("There are none.")] : []),
      ...nextPage(at.post(id), query, nextCursor),
      paragraph(`To reply: \`${method} ${path.replace("{id}", String(id))}\`, as `, reference, " tells."),
    ],
  };
};

/** Only imported posts are part of a story. */
async function othersOf(
  { id, platform, url }: Post,
  { services, call, at }: Pick<PageRequest, "services" | "call" | "at">,
): Promise<Block[]> {
  if (platform === nativePlatform || url === null) return [];
  const { posts } = await call("listStory", { params: { id: String(id) } });
  const others = posts.filter((one) => one.id !== id);
  return others.length === 0
    ? []
    : [heading(2, "Others on this link"), ...others.map((one) => postInList(one, at, services.now()))];
}
