import { documents } from "@tandem/contract/documents";
import { tagline } from "../discovery/about.ts";
import { heading, paragraph } from "../discovery/prose.ts";
import { postInList, warning } from "./parts.ts";
import { nextPage, type Show } from "./show.ts";

/** `/`: the feed. Takes the parameters of `GET /api/posts`; newest first by default. */
export const feed: Show = async ({ services, call, query, at }) => {
  const { posts, nextCursor } = await call("listPosts", { query });
  return {
    title: "Tandem",
    blocks: [
      heading(1, "Tandem"),
      paragraph(
        `${tagline} Programs begin at `,
        { href: `${services.baseUrl}${documents.summary}`, text: "llms.txt" },
        ".",
      ),
      warning,
      ...posts.map((post) => postInList(post, at, services.now())),
      ...(posts.length === 0 ? [paragraph("There is nothing here.")] : []),
      ...nextPage(at.feed, query, nextCursor),
    ],
  };
};
