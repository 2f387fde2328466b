import { setTimeout as pause } from "node:timers/promises";
import { type Caller, Callers, type Person, uniqueName } from "@tandem/testing/callers";
import { newCallStats, sendUntilResponse } from "../failover/call-stats.ts";

/** A written text. It must exist exactly once from when it was acknowledged, and never more than once. */
export interface Written {
  text: string;
  /** By the clock (`Date.now()`); infinite until then. */
  acknowledgedAt: number;
}

/** What a storm has written so far. */
export interface Storm {
  readonly posts: Written[];
  readonly comments: Written[];
  /** The post that all like and comment on. */
  readonly hot: number;
  /** By account id: whether its last acknowledged call liked the hot post. */
  readonly likes: Map<number, boolean>;
  /** Goes on at another address, as after a restart. */
  moveTo(baseUrl: string): void;
  acknowledged(): number;
  /** Lets every writer know the outcome of its last write, then ends. */
  stop(): Promise<void>;
}

/** Milliseconds. Long, as between two kills the service is up for a fraction of a second only, and some writers have bad luck. */
const LONGEST = 15 * 60_000;

/**
 * Starts concurrent writers of posts, comments and likes, who retry until they get a response.
 * @param image a picture for some of the posts
 */
export async function startStorm(baseUrl: string, writers: number, image?: Blob): Promise<Storm> {
  let address = baseUrl;
  const people: Person[] = [];
  for (let i = 0; i < writers; i++) people.push(await new Callers(baseUrl).human(uniqueName("storm_")));
  const { post } = await (people[0] as Person).createPost({ title: "In the eye of it" });
  const stats = newCallStats();
  const [posts, comments] = [[] as Written[], [] as Written[]];
  const likes = new Map<number, boolean>();
  let running = true;
  const as = ({ options }: Person): Caller => new Callers(address).with(options.headers ?? {});
  const write = async (person: Person, into: Written[], operation: "createPost" | "createComment") => {
    const text = uniqueName("written in a storm ");
    const entry = { text, acknowledgedAt: Number.POSITIVE_INFINITY };
    into.push(entry);
    const withImage = image !== undefined && into.length % 4 === 0;
    const input =
      operation === "createPost" ? { title: text, ...(withImage && { image }) } : { id: post.id, body: text };
    const options = { idempotencyKey: text };
    const response = await sendUntilResponse(stats, () => as(person).call(operation, input, options), {
      longest: LONGEST,
    });
    // The clock's milliseconds are rounded down.
    if (response?.status === 200) entry.acknowledgedAt = Date.now() + 1;
  };
  const like = async (person: Person) => {
    const liked = !likes.get(person.user.id);
    const call = () => as(person).call(liked ? "likePost" : "unlikePost", { id: post.id });
    const response = await sendUntilResponse(stats, call, { longest: LONGEST });
    if (response?.status === 200) likes.set(person.user.id, liked);
  };
  const work = people.map(async (person, i) => {
    while (running) {
      if (i % 3 === 0) await write(person, posts, "createPost");
      else if (i % 3 === 1) await write(person, comments, "createComment");
      else await like(person);
      await pause(5 * Math.random());
    }
  });
  const done = Promise.all(work);
  // `stop` reports the error.
  done.catch(() => {});
  return {
    posts,
    comments,
    hot: post.id,
    likes,
    moveTo(baseUrl) {
      address = baseUrl;
    },
    acknowledged: () => stats.served,
    async stop() {
      running = false;
      await done;
    },
  };
}
