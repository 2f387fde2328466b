import { originNames, type Platform } from "@tandem/contract/origins";
import { heading, paragraph } from "../discovery/prose.ts";
import { findCreator } from "../features/creators/creators.queries.ts";
import { notFound } from "../http/problem.ts";
import { postInList, warning } from "./parts.ts";
import { nextPage, type Show } from "./show.ts";

/** `/creators/{platform}/{author}`: who that is, and the posts, as the feed would show them. */
export const creator: Show = async ({ house, ask, params, query, at }) => {
  const whose = new URLSearchParams(params);
  const { posts, nextCursor } = await ask("listPosts", { query: [whose, query].filter(String).join("&") });
  // The operation has judged them.
  const platform = params.platform as Platform;
  const author = posts[0]?.author ?? String(params.author);
  if (posts.length === 0 && (await findCreator(house.storage.read, platform, author)) === undefined)
    throw notFound("creator");
  const gathered = originNames.some((origin) => origin === platform);
  return {
    address: (where) => where.creator(platform, author),
    page: {
      title: author,
      blocks: [
        heading(1, { foreign: author }),
        paragraph(gathered ? `Gathered from ${platform}.` : "An account of this platform."),
        warning,
        ...posts.map((post) => postInList(post, at)),
        ...(posts.length === 0 ? [paragraph("There are no posts.")] : []),
        ...nextPage(at.creator(platform, author), query, nextCursor),
      ],
    },
  };
};
