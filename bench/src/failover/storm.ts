import { setTimeout as pause } from "node:timers/promises";
import { type AgentCaller, type Caller, Callers, type Person, uniqueName } from "@tandem/testing/callers";
import { insist, newPulse, type Pulse } from "./pulse.ts";

/** Posts that a key has in a day: so few that a storm meets the limit. */
export const POSTS_A_DAY = 20;

/** A text that is to be there exactly once if it was acknowledged, at most once if its end isn't known, else never. */
export interface Written {
  text: string;
  end: "acknowledged" | "refused" | "unknown";
}

export interface Author {
  username: string;
  posts: Written[];
}

export interface Storm {
  readonly writes: Pulse;
  readonly reads: Pulse;
  /** Who wrote posts, and which. */
  readonly authors: Author[];
  /** The one post that all like and comment on. */
  readonly hot: number;
  readonly comments: Written[];
  /** By account: whether it last liked the post, or took that back. */
  readonly likes: Map<number, boolean>;
  /** Ends once every writer knows what became of its last write. */
  stop(): Promise<void>;
}

const HOT = "liked by all";
const [POSTERS, COMMENTERS, LIKERS, LIMITED, READERS] = [6, 6, 6, 4, 2];

/** Many writers and some readers, of all services in turn, until they are told to stop. */
export async function startStorm(services: string[]): Promise<Storm> {
  const as = services.map((baseUrl) => new Callers(baseUrl));
  const of = <T>(list: T[], i: number) => list[i % list.length] as T;
  /** Names are new to the database, which outlives a storm. */
  const name = (stem: string) => uniqueName(`${stem}_`);
  const people: Person[] = [];
  for (let i = 0; i < POSTERS; i++) people.push(await of(as, i).human(name("poster")));
  const agents: AgentCaller[] = [];
  for (let i = 0; i < COMMENTERS + LIKERS + LIMITED; i++) {
    const agent = await of(as, 0).agent(of(people, i), name("agent"));
    // Made at one service, and calling at another.
    agents.push({ ...agent, ...of(as, i).bearer(String(agent.options.key)) });
  }
  const { post } = await (people[0] as Person).createPost({ title: HOT });
  const [writes, reads] = [newPulse(), newPulse()];
  const authors: Author[] = [];
  const comments: Written[] = [];
  const likes = new Map<number, boolean>();
  let running = true;
  const whileRunning = async (every: number, work: () => Promise<void>) => {
    while (running) {
      await work();
      await pause(every * (0.5 + Math.random()));
    }
  };

  const writePost = async (by: Caller, posts: Written[]) => {
    const text = uniqueName("written in a storm ");
    posts.push({ text, end: await keyed(writes, by, "createPost", { title: text }, text) });
  };
  const comment = async (by: Caller) => {
    const body = uniqueName("said in a storm ");
    const input = { id: post.id, body };
    // Now and then somebody can't say that two calls are one, and mustn't try again.
    const end =
      Math.random() < 0.25
        ? endOf(await insist(writes, () => by.call("createComment", input), false))
        : await keyed(writes, by, "createComment", input, body);
    comments.push({ text: body, end });
  };
  const like = async ({ agent, ...by }: AgentCaller) => {
    const liked = !likes.get(agent.id);
    // To like twice is to like once: it needs no key to be tried again.
    const end = endOf(
      await insist(writes, () => by.call(liked ? "likePost" : "unlikePost", { id: post.id })),
    );
    if (end === "acknowledged") likes.set(agent.id, liked);
  };
  const author = (username: string) => {
    const posts: Written[] = [];
    authors.push({ username, posts });
    return posts;
  };

  const kinds = [agents.slice(0, COMMENTERS), agents.slice(COMMENTERS, -LIMITED), agents.slice(-LIMITED)];
  const [commenters = [], likers = [], limited = []] = kinds;
  const all = [
    ...people.map((person) => {
      const posts = author(person.user.username);
      return whileRunning(20, () => writePost(person, posts));
    }),
    ...commenters.map((agent) => whileRunning(20, () => comment(agent))),
    ...likers.map((agent) => whileRunning(20, () => like(agent))),
    ...limited.map((agent) => {
      const posts = author(agent.agent.username);
      return whileRunning(600, () => writePost(agent, posts));
    }),
    ...Array.from({ length: READERS }, (_, i) => {
      const reader = of(as, i).anonymous();
      return whileRunning(20, async () => void (await insist(reads, () => reader.call("listPosts"))));
    }),
  ];
  authors[0]?.posts.push({ text: HOT, end: "acknowledged" });
  const done = Promise.all(all);
  // Whoever stops the storm hears of it.
  done.catch(() => {});
  const stop = async () => {
    running = false;
    await done;
  };
  return { writes, reads, authors, hot: post.id, comments, likes, stop };
}

/** A write that may be sent again and again, for its key says that it is one. */
async function keyed(
  pulse: Pulse,
  by: Caller,
  operation: "createPost" | "createComment",
  input: object,
  idempotencyKey: string,
): Promise<Written["end"]> {
  return endOf(await insist(pulse, () => by.call(operation, input, { idempotencyKey })));
}

function endOf(answer: { status: number } | null): Written["end"] {
  if (answer === null) return "unknown";
  return answer.status === 200 ? "acknowledged" : "refused";
}
