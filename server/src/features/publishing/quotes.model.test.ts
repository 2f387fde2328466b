import { makeAdmin } from "@tandem/testing/admins";
import type { AgentCaller, Caller, Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Compares what quotes show, after any history of quotes, deletions, blocks and so on, with a naive model of the rules. */

const people = ["ada", "bob", "eve"] as const;
const names = [...people, "robot"] as const;
type Name = (typeof names)[number];
/** Ada operates the robot. */
const accountsOf = (name: Name): Name[] => (name === "robot" ? ["robot", "ada"] : [name]);

const acts = [
  ...(["quote", "quote", "quote", "post", "delete", "forbid", "allow", "detach"] as const),
  ...(["block", "unblock", "remove", "restore", "suspend", "lift"] as const),
  ...(["mute", "unmute", "hideAi", "showAi"] as const),
] as const;

const step = fc.record({
  act: fc.constantFrom(...acts),
  who: fc.constantFrom(...names),
  other: fc.constantFrom(...names),
  target: fc.nat(20),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface ModelPost {
  id: number;
  author: Name;
  quoted: ModelPost | null;
  detached: boolean;
  deleted: boolean;
  removed: boolean;
  quotable: boolean;
}

/** The state of the world by the rules, without any of the service's shortcuts. */
class Model {
  readonly posts: ModelPost[] = [];
  readonly blocks = new Set<string>();
  readonly suspended = new Set<Name>();
  readonly mutes = new Set<string>();
  readonly hidingAi = new Set<Name>();

  isBlocked(one: Name, other: Name): boolean {
    return accountsOf(one).some((a) =>
      accountsOf(other).some((b) => this.blocks.has(`${a} ${b}`) || this.blocks.has(`${b} ${a}`)),
    );
  }

  isSuspended(name: Name): boolean {
    return accountsOf(name).some((account) => this.suspended.has(account));
  }

  isWanted(reader: Name | null, author: Name): boolean {
    if (reader === null || reader === author) return true;
    if (this.hidingAi.has(reader) && author === "robot") return false;
    return !accountsOf(author).some((account) => this.mutes.has(`${reader} ${account}`));
  }

  /** The id of the post that it shows to the reader, or null. */
  shown(reader: Name | null, { author, quoted, detached }: ModelPost): number | null {
    if (!quoted || detached || !isThere(quoted) || this.isSuspended(quoted.author)) return null;
    if (this.isBlocked(author, quoted.author)) return null;
    if (reader !== null && this.isBlocked(reader, quoted.author)) return null;
    return this.isWanted(reader, quoted.author) ? quoted.id : null;
  }

  quotesOf(post: ModelPost): ModelPost[] {
    return this.posts.filter((one) => one.quoted === post && !one.detached && isThere(one)).reverse();
  }

  listed(reader: Name | null, post: ModelPost): number[] {
    return this.quotesOf(post)
      .filter(({ author }) => {
        if (this.isBlocked(author, post.author)) return false;
        if (reader !== null && this.isBlocked(reader, author)) return false;
        // A list of others' posts has no exception for the reader's own AI posts; people have none.
        return this.isWanted(reader, author);
      })
      .map(({ id }) => id);
  }

  mayQuote(who: Name, post: ModelPost): boolean {
    if (this.isSuspended(who) || !isThere(post) || this.isBlocked(who, post.author)) return false;
    return post.quotable || post.author === who;
  }
}

const isThere = ({ deleted, removed }: ModelPost) => !deleted && !removed;

describe.each(engines)("what quotes show on %s", (engine) => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  afterAll(() => tandem.stop());

  test("is what the rules say, for every reader, after any history", async () => {
    const histories = fc.array(step, { minLength: 15, maxLength: 40 });
    const seen = { shown: 0, hidden: 0, listed: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        const world = await newWorld();
        for (const one of steps) await perform(world, one);
        await check(world);
      }),
      { numRuns: 12, endOnFailure: true },
    );
    // The histories had something of each to check.
    expect(Object.values(seen).every((count) => count > 0)).toBe(true);

    async function newWorld() {
      const [ada, bob, eve, admin] = (await Promise.all([1, 2, 3, 4].map(() => tandem.as.human()))) as [
        Person,
        Person,
        Person,
        Person,
      ];
      await makeAdmin(tandem.storage, admin);
      const robot = await tandem.as.agent(ada);
      const world = { callers: { ada, bob, eve, robot }, admin, model: new Model() };
      for (const name of names) await perform(world, { act: "post", who: name, other: name, target: 0 });
      return world;
    }

    async function perform({ callers, admin, model }: World, { act, who, other, target }: Step) {
      const caller: Caller = callers[who];
      const post = model.posts[target % Math.max(1, model.posts.length)];
      const mayWrite = !model.isSuspended(who);
      const quoting = post && model.posts.find((one) => one.quoted === post && !one.detached);
      const create = async (quoted: ModelPost | null) => {
        const input = { title: `Post ${model.posts.length}`, ...(quoted && { quoteId: quoted.id }) };
        const { status, body } = await caller.call("createPost", input);
        expect(status === 200).toBe(quoted ? model.mayQuote(who, quoted) : mayWrite);
        if (status !== 200) return void seen.refused++;
        const { id } = body.post as { id: number };
        const state = { detached: false, deleted: false, removed: false, quotable: true };
        model.posts.push({ id, author: who, quoted, ...state });
      };
      if (act === "post") return create(null);
      if (act === "quote" && post) return create(post);
      // An account that is suspended can still delete and detach.
      const isOwn = post && post.author === who && isThere(post);
      if (act === "delete" && isOwn) {
        await caller.deletePost({ id: post.id });
        post.deleted = true;
      }
      if ((act === "forbid" || act === "allow") && isOwn && mayWrite) {
        await caller.editPost({ id: post.id, quotePolicy: act === "forbid" ? "nobody" : "anyone" });
        post.quotable = act === "allow";
        if (act === "forbid")
          for (const one of model.posts) if (one.quoted === post && one.author !== who) one.detached = true;
      }
      if (act === "detach" && isOwn && quoting && who !== "robot") {
        await caller.detachQuote({ id: post.id, quotingId: quoting.id });
        quoting.detached = true;
      }
      if ((act === "remove" || act === "restore") && post && !post.deleted) {
        const isRemoval = act === "remove";
        if (post.removed === isRemoval) return;
        await (isRemoval
          ? admin.removePost({ id: post.id, reason: "Spam" })
          : admin.restorePost({ id: post.id }));
        post.removed = isRemoval;
      }
      const [subject, person] = [callers[other], isPerson(who) ? callers[who] : null];
      const isOther = !accountsOf(other).includes(who);
      if ((act === "block" || act === "unblock") && person && isOther) {
        // An account that is suspended can still block, and end that.
        await person.call(act, { username: usernameOf(subject) });
        if (act === "block") model.blocks.add(`${who} ${other}`);
        else model.blocks.delete(`${who} ${other}`);
      }
      if ((act === "mute" || act === "unmute") && person && isOther && mayWrite) {
        await person.call(act, { platform: "native", author: usernameOf(subject) });
        if (act === "mute") model.mutes.add(`${who} ${other}`);
        else model.mutes.delete(`${who} ${other}`);
      }
      if ((act === "hideAi" || act === "showAi") && person && mayWrite) {
        await person.editPreferences({ aiPosts: act === "hideAi" ? "hide" : "show" });
        if (act === "hideAi") model.hidingAi.add(who);
        else model.hidingAi.delete(who);
      }
      if ((act === "suspend" || act === "lift") && isPerson(other)) {
        const isSuspension = act === "suspend";
        if (model.suspended.has(other) === isSuspension) return;
        const { id } = callers[other].user;
        await (isSuspension ? admin.suspendAccount({ id, reason: "Spam" }) : admin.liftSuspension({ id }));
        if (isSuspension) model.suspended.add(other);
        else model.suspended.delete(other);
      }
    }

    async function check({ callers, model }: World) {
      const readers: [Name | null, Caller][] = [
        [null, tandem.as.anonymous()],
        ...people.map((name): [Name, Caller] => [name, callers[name]]),
      ];
      for (const post of model.posts.filter(isThere))
        for (const [reader, caller] of readers) {
          const { post: shown } = await caller.readPost({ id: post.id });
          const { posts } = await caller.listQuotes({ id: post.id });
          const wanted = post.quoted ? model.shown(reader, post) : undefined;
          expect({
            ...{ reader, post: post.id, quoteId: shown.quoteId, count: shown.quoteCount },
            quote: shown.quote === undefined ? undefined : (shown.quote?.id ?? null),
            quotes: posts.map(({ id }) => id),
          }).toEqual({
            ...{ reader, post: post.id, quoteId: post.quoted?.id },
            count: model.quotesOf(post).length || undefined,
            quote: wanted,
            quotes: model.listed(reader, post),
          });
          if (post.quoted) seen[wanted === null ? "hidden" : "shown"] += 1;
          seen.listed += posts.length;
        }
    }
  });
});

interface World {
  callers: { ada: Person; bob: Person; eve: Person; robot: AgentCaller };
  admin: Person;
  model: Model;
}

const isPerson = (name: Name): name is (typeof people)[number] => name !== "robot";

const usernameOf = (caller: Person | AgentCaller): string =>
  "user" in caller ? caller.user.username : caller.agent.username;
