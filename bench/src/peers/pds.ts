import { required } from "../options.ts";
import type { Request } from "../requests.ts";
import { ask, CREATES, type Peer, textOf } from "./peer.ts";

interface Session {
  did: string;
  accessJwt: string;
}
interface Page {
  records: { uri: string; cid: string }[];
}

const POST = "app.bsky.feed.post";
const LIKE = "app.bsky.feed.like";

/** Bluesky's PDS: records in the repository of one account. Needs `--identifier` and `--password` of that account. */
export async function pds(baseUrl: string): Promise<Peer> {
  const account = { identifier: required("identifier"), password: required("password") };
  const path = "/xrpc/com.atproto.server.createSession";
  const { did, accessJwt } = await ask<Session>(baseUrl, { method: "POST", path, body: account });
  const headers = { authorization: `Bearer ${accessJwt}` };
  const create = (collection: string, record: object): Request => ({
    ...{ method: "POST", path: "/xrpc/com.atproto.repo.createRecord", headers },
    body: {
      repo: did,
      collection,
      record: { $type: collection, ...record, createdAt: new Date().toISOString() },
    },
  });
  const creates = Array.from({ length: CREATES }, (_, i) => create(POST, { text: textOf(i) }));
  for (const one of creates.slice(0, 50)) await ask(baseUrl, one);
  const page = {
    path: `/xrpc/com.atproto.repo.listRecords?repo=${did}&collection=${POST}&limit=50`,
    headers,
  };
  const [first] = (await ask<Page>(baseUrl, page)).records;
  if (!first) throw new Error("The account has no posts");
  const key = first.uri.split("/").at(-1);
  return {
    page,
    post: { path: `/xrpc/com.atproto.repo.getRecord?repo=${did}&collection=${POST}&rkey=${key}`, headers },
    creates: creates.slice(50),
    // A PDS doesn't look whether what is liked exists, but it keeps one like of each.
    likes: async () =>
      creates.map((_, i) =>
        create(LIKE, { subject: { uri: `at://${did}/${POST}/liked${i}`, cid: first.cid } }),
      ),
  };
}
