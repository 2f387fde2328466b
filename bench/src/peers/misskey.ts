import { required } from "../options.ts";
import type { Request } from "../requests.ts";
import { ask, CREATES, type Peer, textOf } from "./peer.ts";

interface Note {
  id: string;
}

/** The most notes that a page of Misskey has. */
const MOST = 100;
const LIKES = 5000;

/** Misskey. Needs `--token` of a user, with permission to write notes and reactions. */
export async function misskey(baseUrl: string): Promise<Peer> {
  const headers = { authorization: `Bearer ${required("token")}` };
  const call = (endpoint: string, body: object): Request => ({
    ...{ method: "POST", path: `/api/${endpoint}`, headers, body },
  });
  const creates = Array.from({ length: CREATES }, (_, i) => call("notes/create", { text: textOf(i) }));
  for (const one of creates.slice(0, 50)) await ask(baseUrl, one);
  const page = call("notes/local-timeline", { limit: 50 });
  const [first] = await ask<Note[]>(baseUrl, page);
  return {
    page,
    post: call("notes/show", { noteId: first?.id }),
    creates: creates.slice(50),
    async likes() {
      const notes: Note[] = [];
      while (notes.length < LIKES) {
        const untilId = notes.at(-1)?.id;
        const more = { limit: MOST, ...(untilId && { untilId }) };
        const older = await ask<Note[]>(baseUrl, call("notes/local-timeline", more));
        if (older.length === 0) break;
        notes.push(...older);
      }
      return notes.map(({ id }) => call("notes/reactions/create", { noteId: id, reaction: "❤️" }));
    },
  };
}
