import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { sql } from "kysely";
import type { Handlers, JsonText, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { authorOf } from "../accounts/author.ts";
import { attachFirst } from "../shop/attachments.ts";
import { type PostFacts, plainPost, withLink } from "./fragment.ts";
import {
  findOwnPost,
  insertPost,
  marksOfEdit,
  postAnswer,
  readFacts,
  searchText,
  stamp,
  writeFacts,
} from "./posts.queries.ts";
import { removePosts } from "./remove-posts.ts";

export const posts = {
  readPost: (ctx, { id }) => postAnswer(ctx.read, id, ctx.caller),
  createPost: (ctx, input) => ctx.write((tx) => createPost(ctx, tx, input)),
  editPost: (ctx, input) => ctx.write((tx) => editPost(ctx, tx, input)),
  deletePost: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findOwnPost(tx, id, ctx.caller);
      await removePosts(tx, sql<number>`${id}`);
      return { deleted: true };
    }),
} satisfies Handlers<"readPost" | "createPost" | "editPost" | "deletePost">;

async function createPost(ctx: SignedIn, tx: Db, input: Input<Operations["createPost"]>): Promise<JsonText> {
  const { caller, now } = ctx;
  const author = await authorOf(tx, caller.userId);
  const facts: PostFacts = {
    ...plainPost,
    author: author.username,
    authorIsAgent: author.isAgent,
    authorAvatarUrl: author.avatarUrl,
    title: input.title,
    body: input.body ?? null,
    provenance: stamp(caller, input.provenance),
    postedAt: new Date(now).toISOString(),
  };
  const linked = withLink(facts, input.url ?? null);
  const { creatorId } = author;
  const id = await insertPost(tx, {
    creatorId,
    sourceId: null,
    originScore: 0,
    postedAt: now,
    facts: linked,
  });
  if (input.productIds?.length) await attachFirst(tx, id, caller, input.productIds);
  return postAnswer(tx, id, caller);
}

async function editPost(ctx: SignedIn, tx: Db, input: Input<Operations["editPost"]>): Promise<JsonText> {
  const { caller, now } = ctx;
  const { id } = await findOwnPost(tx, input.id, caller);
  const facts = await readFacts(tx, id);
  const edited: PostFacts = {
    ...facts,
    title: input.title ?? facts.title,
    body: input.body === undefined ? facts.body : input.body,
    ...marksOfEdit(caller, facts, now),
  };
  await writeFacts(tx, id, input.url === undefined ? edited : withLink(edited, input.url));
  if (searchText(edited) !== searchText(facts)) await tx.engine.postSearch.put(tx, id, searchText(edited));
  return postAnswer(tx, id, caller);
}
