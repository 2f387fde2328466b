import { required } from "../options.ts";
import type { Request } from "../requests.ts";
import { ask, CREATES, type Peer, textOf } from "./peer.ts";

interface Page {
  response: { topics: { mainPid: number; uid: number }[] };
}
interface Self {
  uid: number;
}

/**
 * NodeBB. Needs `--token` of a user (API access in the admin panel) and a `--category` with 50 topics, some of them by others, because no
 * one can vote for their own.
 */
export async function nodebb(baseUrl: string): Promise<Peer> {
  const headers = { authorization: `Bearer ${required("token")}` };
  const category = Number(required("category"));
  const page = { path: `/api/v3/categories/${category}/topics`, headers };
  const { topics } = (await ask<Page>(baseUrl, page)).response;
  const { uid } = await ask<Self>(baseUrl, { path: "/api/self", headers });
  const others = topics.filter((topic) => topic.uid !== uid);
  if (others.length === 0) throw new Error("The category has no topics by others");
  const vote = (pid: number): Request[] => {
    const path = `/api/v3/posts/${pid}/vote`;
    return [
      { method: "PUT", path, headers, body: { delta: 1 } },
      { method: "DELETE", path, headers },
    ];
  };
  return {
    page,
    post: { path: `/api/v3/posts/${others[0]?.mainPid}`, headers },
    creates: Array.from({ length: CREATES }, (_, i) => ({
      ...{ method: "POST", path: "/api/v3/topics", headers },
      body: { cid: category, title: `Written as number ${i}`, content: textOf(i) },
    })),
    likes: async () => others.flatMap(({ mainPid }) => vote(mainPid)),
  };
}
