import type { Post } from "@tandem/contract/post-resources";
import { required } from "../options.ts";
import type { Request } from "../requests.ts";
import { ask, CREATES, type Peer, textOf } from "./peer.ts";

interface Page {
  posts: Post[];
  nextCursor: string | null;
}

const LIKES = 20_000;

/** Tandem itself, for comparison. Needs `--key` with all scopes. */
export async function tandem(baseUrl: string): Promise<Peer> {
  const headers = { authorization: `Bearer ${required("key")}` };
  const creates = Array.from(
    { length: CREATES },
    (_, i): Request => ({
      ...{ method: "POST", path: "/api/posts", headers },
      body: { title: `Written as number ${i}`, body: textOf(i) },
    }),
  );
  for (const one of creates.slice(0, 50)) await ask(baseUrl, one);
  const page = { path: "/api/posts?limit=50", headers };
  const { posts } = await ask<Page>(baseUrl, page);
  return {
    page,
    post: { path: `/api/posts/${posts[0]?.id}`, headers },
    creates: creates.slice(50),
    async likes() {
      const likes: Request[] = [];
      for (let cursor: string | null = ""; cursor !== null && likes.length < LIKES; ) {
        const path: string = page.path + (cursor && `&cursor=${encodeURIComponent(cursor)}`);
        const next: Page = await ask<Page>(baseUrl, { path, headers });
        likes.push(
          ...next.posts.map(({ id }) => ({
            method: "POST" as const,
            path: `/api/posts/${id}/like`,
            headers,
          })),
        );
        cursor = next.nextCursor;
      }
      return likes;
    },
  };
}
