import type { ProfileField } from "@tandem/contract/resources";
import { accountOf, isAi, type World } from "./authorship-model.ts";
import {
  editField,
  made,
  newToken,
  ownedBy,
  pick,
  remove,
  send,
  textFor,
  touch,
  type Write,
} from "./authorship-step.ts";

/** Writes of products, profiles, messages, streams and communities, with their effect on the model. */

/** A card shows these: a key that changes one changes the posts. */
const textsOnCards = ["title", "imageUrl", "price"] as const;
const textsOfProduct = [...textsOnCards, "url", "category"] as const;

const editProfile =
  (field: Extract<ProfileField, "displayName" | "bio" | "links">): Write =>
  async (world, step) => {
    const { profile } = world;
    const token = newToken(world, step);
    const account = accountOf(step.actor);
    const isCleared = step.other % 4 === 0;
    const value = field === "links" ? [`https://127.0.0.9/${token}`] : token;
    if (!(await send(world, step, "editProfile", { [field]: isCleared ? null : value }))) return;
    // Clearing marks nothing, but a mark stays for what is written there next.
    const before = profile.get(`${account} ${field}`);
    const ai = (!isCleared && isAi(step.actor)) || before?.ai === true;
    profile.set(`${account} ${field}`, { kind: field, account, token, ai, declared: "human" });
  };

const setPicture =
  (name: "setAvatar" | "setBanner", field: "avatarUrl" | "bannerUrl"): Write =>
  async (world, step) => {
    const { account, ai, declared } = made(step);
    if (!(await send(world, step, name, { image: world.picture }))) return;
    const caller = account === "ada" ? world.ada : world.callers.bot;
    const token = String((await caller.me()).user[field]);
    world.profile.set(`${account} ${field}`, { kind: field, account, token, ai, declared });
  };

export const otherWrites = {
  async createProduct(world, step) {
    const tokens = textsOfProduct.map((field) => [field, newToken(world, step)] as const);
    const input = Object.fromEntries(tokens.map(([field, token]) => [field, textFor(field, token)]));
    const sent = await send(world, step, "createProduct", input);
    const [[, token], ...more] = tokens as [(typeof tokens)[number], ...typeof tokens];
    if (sent?.productId)
      world.products.push({ kind: "product", id: sent.productId, ...made(step), token, more: new Map(more) });
  },
  async editProduct(world, step) {
    const item = pick(ownedBy(world.products, step), step.target);
    const field = await editField(world, step, "editProduct", { item, fields: textsOfProduct });
    if (item && field && (textsOnCards as readonly string[]).includes(field))
      for (const post of world.posts) if (post.products.includes(item)) touch(post, step);
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
  async deleteProduct(world, step) {
    const product = pick(ownedBy(world.products, step), step.target);
    if (!product || !(await send(world, step, "deleteProduct", { id: product.id }))) return;
    remove(world.products, product);
    for (const { products } of world.posts) remove(products, product);
  },
  editName: editProfile("displayName"),
  editBio: editProfile("bio"),
  editLinks: editProfile("links"),
  setAvatar: setPicture("setAvatar", "avatarUrl"),
  setBanner: setPicture("setBanner", "bannerUrl"),
  async deleteBanner(world, step) {
    await send(world, step, "deleteBanner", {});
  },
  async message(world, step) {
    const actor = step.actor === "botSession" ? step.actor : "ada";
    const token = newToken(world, { actor });
    const username = world.names[actor === "ada" ? "bot" : "ada"];
    if (await send(world, { ...step, actor }, "sendMessage", { username, body: token }))
      world.messages.push({ kind: "message", token, ...made({ ...step, actor }) });
  },
  async goLive(world, step) {
    const actor = step.actor === "botSession" ? step.actor : "ada";
    const token = newToken(world, { actor });
    const { account } = made({ ...step, actor });
    if (await send(world, { ...step, actor }, "startLive", { title: token }))
      world.lives.set(account, { kind: "live", token, ...made({ ...step, actor }) });
  },
  /** For people only: what is written about a community has no mark. */
  async editCommunity(world, step) {
    const field = (["description", "rules"] as const)[step.field % 2] ?? "rules";
    const token = newToken(world, step);
    if (await send(world, step, "editCommunity", { name: world.community, [field]: token }))
      world.communityTexts.set(field, { kind: "community", token, ...made(step) });
  },
  async undo({ ada, botId }: World) {
    await ada.undoAgent({ id: botId });
  },
} satisfies Record<string, Write>;
