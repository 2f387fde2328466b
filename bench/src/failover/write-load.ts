import { setTimeout as pause } from "node:timers/promises";
import { type AgentCaller, type Caller, Callers, type Person, uniqueName } from "@tandem/testing/callers";
import { type CallStats, newCallStats, sendUntilResponse } from "./call-stats.ts";

/** Daily post quota of a key: low enough that the load reaches it. */
export const POSTS_A_DAY = 20;

/** A written text. It must exist exactly once if acknowledged, at most once if unknown, and never if refused. */
export interface WrittenText {
  text: string;
  end: "acknowledged" | "refused" | "unknown";
}

export interface Author {
  username: string;
  posts: WrittenText[];
}

export interface WriteLoad {
  readonly writes: CallStats;
  readonly reads: CallStats;
  /** Authors and the posts that they sent. */
  readonly authors: Author[];
  /** Id of the post that all like and comment on. */
  readonly hot: number;
  readonly comments: WrittenText[];
  /** By account id: whether its last acknowledged call liked the post (true) or unliked it. */
  readonly likes: Map<number, boolean>;
  /** Stops the load; resolves once every writer knows the outcome of its last write. */
  stop(): Promise<void>;
}

const HOT = "liked by all";
const [POSTERS, COMMENTERS, LIKERS, LIMITED, READERS] = [6, 6, 6, 4, 2];

/** Starts many writers and some readers, spread over the services. They run until stopped. */
export async function startWriteLoad(services: string[]): Promise<WriteLoad> {
  const as = services.map((baseUrl) => new Callers(baseUrl));
  const of = <T>(list: T[], i: number) => list[i % list.length] as T;
  /** Unique names: the same database serves several loads. */
  const name = (stem: string) => uniqueName(`${stem}_`);
  const people: Person[] = [];
  for (let i = 0; i < POSTERS; i++) people.push(await of(as, i).human(name("poster")));
  const agents: AgentCaller[] = [];
  for (let i = 0; i < COMMENTERS + LIKERS + LIMITED; i++) {
    const agent = await of(as, 0).agent(of(people, i), name("agent"));
    // Created at one service, calls another.
    agents.push({ ...agent, ...of(as, i).bearer(String(agent.options.key)) });
  }
  const { post } = await (people[0] as Person).createPost({ title: HOT });
  const [writes, reads] = [newCallStats(), newCallStats()];
  const authors: Author[] = [];
  const comments: WrittenText[] = [];
  const likes = new Map<number, boolean>();
  let running = true;
  const whileRunning = async (every: number, work: () => Promise<void>) => {
    while (running) {
      await work();
      await pause(every * (0.5 + Math.random()));
    }
  };

  const writePost = async (by: Caller, posts: WrittenText[]) => {
    const text = uniqueName("written under load ");
    posts.push({ text, end: await writeWithKey(writes, by, "createPost", { title: text }, text) });
  };
  const comment = async (by: Caller) => {
    const body = uniqueName("commented under load ");
    const input = { id: post.id, body };
    // Some clients send no Idempotency-Key and so must not retry.
    const end =
      Math.random() < 0.25
        ? endOf(await sendUntilResponse(writes, () => by.call("createComment", input), { repeatable: false }))
        : await writeWithKey(writes, by, "createComment", input, body);
    comments.push({ text: body, end });
  };
  const like = async ({ agent, ...by }: AgentCaller) => {
    const liked = !likes.get(agent.id);
    // Liking is idempotent, so it can be retried without a key.
    const end = endOf(
      await sendUntilResponse(writes, () => by.call(liked ? "likePost" : "unlikePost", { id: post.id })),
    );
    if (end === "acknowledged") likes.set(agent.id, liked);
  };
  const author = (username: string) => {
    const posts: WrittenText[] = [];
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
      return whileRunning(
        20,
        async () => void (await sendUntilResponse(reads, () => reader.call("listPosts"))),
      );
    }),
  ];
  authors[0]?.posts.push({ text: HOT, end: "acknowledged" });
  const done = Promise.all(all);
  // `stop` reports the error.
  done.catch(() => {});
  const stop = async () => {
    running = false;
    await done;
  };
  return { writes, reads, authors, hot: post.id, comments, likes, stop };
}

/** A write that can be retried because of its Idempotency-Key. */
async function writeWithKey(
  stats: CallStats,
  by: Caller,
  operation: "createPost" | "createComment",
  input: object,
  idempotencyKey: string,
): Promise<WrittenText["end"]> {
  return endOf(await sendUntilResponse(stats, () => by.call(operation, input, { idempotencyKey })));
}

function endOf(response: { status: number } | null): WrittenText["end"] {
  if (response === null) return "unknown";
  return response.status === 200 ? "acknowledged" : "refused";
}
