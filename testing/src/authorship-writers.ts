import { PendingApproval } from "@tandem/client/index";
import { type OperationName, operations } from "@tandem/contract/operations";
import type { ProfileField } from "@tandem/contract/resources";
import { publishDue } from "@tandem/server/features/publishing/scheduled";
import fc from "fast-check";
import {
  type Account,
  type Actor,
  accountOf,
  actors,
  type Item,
  isAi,
  type Said,
  type World,
} from "./authorship-model.ts";

/** All writes of texts and pictures, with their effect on the model of who wrote what. */

const decisions = ["approve", "edit and approve", "decline"] as const;

/** A step of a history. Which target it means depends on what there is then. */
export interface Step {
  write: keyof typeof writes;
  actor: Actor;
  target: number;
  other: number;
  declared: Said;
  /** What the person decides if the call waits for approval. */
  decision: (typeof decisions)[number];
}

type Write = (world: World, step: Step) => Promise<void>;

let serial = 0;
const newToken = () => `tok${++serial}x`;

interface Ids {
  postId: number | null;
  commentId: number | null;
  productId: number | null;
  body: Record<string, unknown>;
}

/** Makes the call as the actor. Null if it was refused or declined. */
async function send(world: World, step: Step, name: OperationName, input: object): Promise<Ids | null> {
  const { actor } = step;
  const { status, body } =
    actor === "mcp" ? await sendByMcp(world, name, input) : await world.callers[actor].call(name, input);
  if (status >= 500) throw new Error(`${name}: ${JSON.stringify(body)}`);
  if (status === 202) return decide(world, step, Number((body.pending as { draftId: number }).draftId));
  return status === 200 ? idsIn(body) : null;
}

async function sendByMcp({ mcp, callers }: World, name: OperationName, input: object) {
  // Tools take no blobs.
  if (Object.values(input).some((value) => value instanceof Blob)) return callers.key.call(name, input);
  const op = operations[name];
  const tool = `tandem_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  const result = await (op.exposure === "tool"
    ? mcp.call(tool, { ...input })
    : mcp.call("tandem_call_operation", { operation: name, input }));
  return { status: result.isError ? 400 : 200, body: result.structuredContent ?? {} };
}

async function decide({ ada, bob }: World, { decision }: Step, id: number): Promise<Ids | null> {
  if (decision === "edit and approve") {
    const [draft] = (await ada.listDrafts({ limit: 1 })).drafts;
    if (draft?.operation === "createPost")
      await ada.editDraft({ id, body: `For @${bob.user.username}, by a person.` });
  }
  if (decision === "decline") {
    await ada.deleteDraft({ id });
    return null;
  }
  const { status, body } = await ada.call("approveDraft", { id });
  return status === 200 ? idsIn(body) : null;
}

function idsIn(body: Record<string, unknown>): Ids {
  const id = (name: string) => {
    const named = body[name] as { id: number } | null | undefined;
    return named?.id ?? (body[`${name}Id`] as number | null | undefined) ?? null;
  };
  return { postId: id("post"), commentId: id("comment"), productId: id("product"), body };
}

/** The target that a number means. */
const pick = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)];
const ownedBy = <T extends { account: Account }>(all: readonly T[], { actor }: Step): T[] =>
  all.filter(({ account }) => account === accountOf(actor));

const touch = (item: Pick<Item, "ai"> | undefined, { actor }: Step) => {
  if (item && isAi(actor)) item.ai = true;
};

/** Only a person's session can declare. */
const declaring = ({ actor, declared }: Step) => ({
  declared: isAi(actor) ? ("human" as const) : declared,
  input: declared === "human" ? {} : { provenance: declared },
});

const createPost =
  (withPicture: boolean): Write =>
  async (world, step) => {
    const token = newToken();
    const product = pick(ownedBy(world.products, step), step.other);
    const { declared, input } = declaring(step);
    const sent = await send(world, step, "createPost", {
      title: token,
      body: `For @${world.bob.user.username}.`,
      ...input,
      ...(product && { productIds: [product.id] }),
      ...(withPicture && { image: world.picture, alt: "A picture." }),
    });
    const [account, ai] = [accountOf(step.actor), isAi(step.actor)];
    if (sent?.postId)
      world.posts.push({
        ...{ kind: "post", id: sent.postId, account, token, ai, declared },
        products: product ? [product] : [],
      });
  };

const comment: Write = async (world, step) => {
  const token = newToken();
  const targets = [world.bobsPost, ...world.posts.map(({ id }) => id)];
  const id = pick(targets, step.target);
  // A post that was undone has no comments.
  const found = step.other % 2 ? await world.bob.call("listComments", { id: Number(id) }) : null;
  const parentId = (found?.body.comments as { id: number }[] | undefined)?.[0]?.id;
  const sent = await send(world, step, "createComment", { id, body: token, parentId: parentId ?? null });
  const [account, ai] = [accountOf(step.actor), isAi(step.actor)];
  if (sent?.commentId)
    world.comments.push({
      ...{ kind: "comment", id: sent.commentId, account, token },
      ...{ ai, createdByAi: ai, declared: "human" },
    });
};

/** An edit of something with a token in `field`. */
async function edit<T extends Item & { id: number }>(
  world: World,
  step: Step,
  { name, field, targets }: { name: OperationName; field: string; targets: readonly T[] },
): Promise<T | undefined> {
  const item = pick(ownedBy(targets, step), step.target);
  const token = newToken();
  if (!item || !(await send(world, step, name, { id: item.id, [field]: token }))) return undefined;
  item.token = token;
  touch(item, step);
  return item;
}

const editProfile =
  (field: Exclude<ProfileField, "avatarUrl" | "bannerUrl">): Write =>
  async ({ profile, ...world }, step) => {
    const token = newToken();
    const account = accountOf(step.actor);
    const value = step.other % 4 === 0 ? null : token;
    const sent = await send({ ...world, profile }, step, "editProfile", { [field]: value });
    if (!sent) return;
    // Clearing marks nothing, but a mark stays for what is written there next.
    const before = profile.get(`${account} ${field}`);
    const ai = (value !== null && isAi(step.actor)) || before?.ai === true;
    profile.set(`${account} ${field}`, { kind: field, account, token, ai, declared: "human" });
  };

const setPicture =
  (name: "setAvatar" | "setBanner", field: "avatarUrl" | "bannerUrl"): Write =>
  async (world, step) => {
    const account = accountOf(step.actor);
    if (!(await send(world, step, name, { image: world.picture }))) return;
    const caller = account === "ada" ? world.ada : world.callers.bot;
    const token = String((await caller.me()).user[field]);
    world.profile.set(`${account} ${field}`, {
      kind: field,
      account,
      token,
      ai: isAi(step.actor),
      declared: "human",
    });
  };

const writes = {
  createPost: createPost(false),
  createPicture: createPost(true),
  async editPost(world, step) {
    await edit(world, step, { name: "editPost", field: "title", targets: world.posts });
  },
  comment,
  async editComment(world, step) {
    await edit(world, step, { name: "editComment", field: "body", targets: world.comments });
  },
  async createProduct(world, step) {
    const token = newToken();
    const sent = await send(world, step, "createProduct", { title: token, url: "https://example.org/p" });
    const [account, ai] = [accountOf(step.actor), isAi(step.actor)];
    if (sent?.productId)
      world.products.push({ kind: "product", id: sent.productId, account, token, ai, declared: "human" });
  },
  async editProduct(world, step) {
    const product = await edit(world, step, {
      ...{ name: "editProduct", field: "title", targets: world.products },
    });
    // The posts that show it show the new text.
    if (product) for (const post of world.posts) if (post.products.includes(product)) touch(post, step);
  },
  async attachProduct(world, step) {
    const post = pick(ownedBy(world.posts, step), step.target);
    const product = pick(ownedBy(world.products, step), step.other);
    if (!post || !product || post.products.includes(product)) return;
    const input = { id: post.id, productId: product.id };
    if (!(await send(world, step, "attachProduct", input))) return;
    post.products.push(product);
    touch(post, step);
  },
  editName: editProfile("displayName"),
  editBio: editProfile("bio"),
  setAvatar: setPicture("setAvatar", "avatarUrl"),
  setBanner: setPicture("setBanner", "bannerUrl"),
  async createDraft(world, step) {
    const token = newToken();
    const { declared, input } = declaring(step);
    const sent = await send(world, step, "createDraft", { title: token, ...input });
    const draft = sent?.body.draft as { id: number } | undefined;
    const [account, ai] = [accountOf(step.actor), isAi(step.actor)];
    if (draft) world.drafts.push({ id: draft.id, account, token, ai, declared });
  },
  async editDraft(world, step) {
    const draft = pick(ownedBy(world.drafts, step), step.target);
    const token = newToken();
    if (!draft || !(await send(world, step, "editDraft", { id: draft.id, title: token }))) return;
    draft.token = token;
    touch(draft, step);
  },
  async publishDraft(world, step) {
    const draft = pick(ownedBy(world.drafts, step), step.target);
    const sent = draft && (await send(world, step, "publishDraft", { id: draft.id }));
    if (!draft) return;
    if (!sent) return dropDeclined(world, step, draft);
    touch(draft, step);
    published(world, draft, sent.postId);
  },
  async schedule(world, step) {
    const draft = pick(ownedBy(world.drafts, step), step.target);
    const publishAt = "2020-01-01T00:00:00.000Z";
    const sent = draft && (await send(world, step, "editDraft", { id: draft.id, publishAt }));
    if (!draft) return;
    if (!sent) return dropDeclined(world, step, draft);
    touch(draft, step);
    if (sent.postId !== null) return published(world, draft, sent.postId);
    await publishDue(world.tandem.services, new AbortController().signal);
    const { posts } = await world.bob.listPosts({ author: world.names[draft.account], limit: 1 });
    published(world, draft, posts[0]?.title === draft.token ? posts[0].id : null);
  },
  async message(world, { actor }) {
    const token = newToken();
    const caller = actor === "botSession" ? world.callers.botSession : world.ada;
    const to = actor === "botSession" ? "ada" : "bot";
    const { status } = await caller.call("sendMessage", { username: world.names[to], body: token });
    const account = actor === "botSession" ? "bot" : "ada";
    const ai = account === "bot";
    if (status === 200) world.messages.push({ kind: "message", account, token, ai, declared: "human" });
  },
  async goLive(world, { actor }) {
    const account = actor === "botSession" ? "bot" : "ada";
    const caller = account === "bot" ? world.callers.botSession : world.ada;
    const token = newToken();
    await caller.startLive({ title: token });
    world.lives.set(account, { kind: "live", account, token, ai: account === "bot", declared: "human" });
  },
  async undo({ ada, botId }) {
    await ada.undoAgent({ id: botId });
  },
} satisfies Record<string, Write>;

/** A draft whose publication was declined is deleted. */
function dropDeclined(world: World, { actor }: Step, draft: World["drafts"][number]): void {
  if (actor === "asking" || actor === "botAsking") published(world, draft, null);
}

/** The draft has become this post, was declined (and deleted), or is still a draft. */
function published(world: World, draft: World["drafts"][number], id: number | null): void {
  world.drafts = world.drafts.filter((other) => other !== draft);
  const { account, token, ai, declared } = draft;
  if (id !== null) world.posts.push({ kind: "post", id, account, token, ai, declared, products: [] });
}

const names = Object.keys(writes) as (keyof typeof writes)[];

/** Pictures take long; undoing ends much of what could go wrong. */
const rare: readonly string[] = ["createPicture", "setAvatar", "setBanner", "undo", "goLive"];
const weighted = names.map((name) => ({
  arbitrary: fc.constant(name),
  weight: rare.includes(name) ? 1 : 4,
}));

export const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  write: fc.oneof(...weighted),
  // Many of the steps are the person's, so that there is something for keys to touch.
  actor: fc.oneof(fc.constant<Actor>("ada"), fc.constantFrom<Actor>(...actors)),
  target: fc.nat(9),
  other: fc.nat(9),
  declared: fc.constantFrom<Said>("human", "human", "ai_assisted", "ai_generated"),
  decision: fc.constantFrom(...decisions),
});

/** Every write by the person, then every write by another: each write meets each actor. */
export function everyWriteBy(actor: Actor): Step[] {
  const step = { target: 0, other: 1, declared: "human", decision: "approve" } as const;
  const all = names.filter((name) => name !== "undo");
  // What the person only creates, or only publishes, is there for the other to edit.
  const first = all.filter((name) => name !== "publishDraft" && name !== "schedule");
  const drafts = (["createDraft", "publishDraft", "createDraft", "schedule"] as const).map((write) => ({
    ...step,
    write,
    actor: write === "createDraft" ? ("ada" as const) : actor,
  }));
  return [
    ...first.map((write) => ({ ...step, write, actor: "ada" as const })),
    ...all.map((write) => ({ ...step, write, actor })),
    ...drafts,
    // Clearing a field of the profile (`other: 4`) marks nothing, and the person's last word takes no mark off.
    ...first
      .filter((write) => write.startsWith("edit"))
      .flatMap((write) => [4, 1].map((other) => ({ ...step, write, other, actor: "ada" as const }))),
  ];
}

export async function perform(world: World, step: Step): Promise<void> {
  await writes[step.write](world, step).catch((error) => {
    // The client throws for a call that waits, which only the calls above expect.
    if (!(error instanceof PendingApproval)) throw error;
  });
}
