import type { OperationName } from "@tandem/contract/operations";
import type { Comment, Post } from "@tandem/contract/post-resources";
import { type Account, accounts, type World } from "./authorship-model.ts";
import type { Caller } from "./callers.ts";

/** A world that isn't written to while it is read, so that each page and list is read only once. */
export class Reading {
  readonly world: World;
  readonly #read = new Map<string, Promise<unknown>>();

  constructor(world: World) {
    this.world = world;
  }

  once<T>(name: string, read: () => Promise<T>): Promise<T> {
    const running = (this.#read.get(name) as Promise<T> | undefined) ?? read();
    this.#read.set(name, running);
    return running;
  }

  /** What the caller, or a stranger, gets. */
  page(path: string, accept = "text/html", caller?: Caller): Promise<string> {
    const { cookie = "" } = caller?.options.headers ?? {};
    return this.once(`${path} ${accept} ${cookie}`, async () => {
      const response = await fetch(this.world.tandem.baseUrl + path, { headers: { accept, cookie } });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      return response.text();
    });
  }

  call(name: OperationName, caller: Caller, input: object): Promise<Record<string, unknown>> {
    const { cookie, authorization } = caller.options.headers ?? {};
    const who = cookie ?? authorization ?? caller.options.key;
    return this.once(`${name} ${JSON.stringify(input)} ${who}`, async () => {
      const { status, body } = await caller.call(name, input);
      // What was deleted or undone isn't there to read.
      if (status !== 200 && status !== 404) throw new Error(`${name}: ${JSON.stringify(body)}`);
      return body;
    });
  }

  /** Of both accounts, and the post that they comment on. */
  async posts(): Promise<Post[]> {
    const { bob, names } = this.world;
    const lists = accounts.map((account) =>
      this.call("listPosts", bob, { author: names[account], limit: 50 }),
    );
    return (await Promise.all(lists)).flatMap((body) => body.posts as Post[]);
  }

  async comments(): Promise<Comment[]> {
    const { bob, bobsPost } = this.world;
    const ids = [bobsPost, ...(await this.posts()).map(({ id }) => id)];
    const lists = await Promise.all(ids.map((id) => this.call("listComments", bob, { id, limit: 50 })));
    return lists.flatMap((body) => body.comments as Comment[]);
  }

  async postPages(accept = "text/html"): Promise<string[]> {
    const ids = [this.world.bobsPost, ...(await this.posts()).map(({ id }) => id)];
    const pages: string[] = [];
    for (const id of ids) pages.push(await this.page(`/posts/${id}`, accept));
    return pages;
  }

  profiles(accept = "text/html"): Promise<string[]> {
    return Promise.all(accounts.map((account) => this.page(profileOf(this.world, account), accept)));
  }
}

export const profileOf = ({ names }: World, account: Account) => `/creators/native/${names[account]}`;

export async function creatorOf(reading: Reading, account: Account) {
  const { bob, names } = reading.world;
  const body = await reading.call("readCreator", bob, { platform: "native", author: names[account] });
  return body.creator as Awaited<ReturnType<Caller["readCreator"]>>["creator"];
}
