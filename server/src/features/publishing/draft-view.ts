import { type ApprovableOperation, isEngagement } from "@tandem/contract/approval";
import type { Draft } from "@tandem/contract/drafts";
import { operations } from "@tandem/contract/operations";
import { publishedFields } from "@tandem/contract/schema";
import { sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { aboutPosts } from "../posts/about-posts.ts";
import { withAlts } from "../posts/alt-texts.ts";
import { pollOf } from "../posts/polls.ts";
import { profileName } from "../shared/ai-fields.ts";
import { aiMarkOfText, authorshipIn, draftAuthorship, markedAuthorship } from "../shared/authorship.ts";
import { type DraftInput, type ParsedDraft, parseDraft, type Target } from "./draft-input.ts";
import { type References, readReferences } from "./draft-references.ts";
import type { FoundDraft } from "./drafts.queries.ts";

/* Drafts as the API shows them, each with what it would change. */

const nothing: Target = {
  title: null,
  body: null,
  url: null,
  alt: null,
  alts: null,
  contentWarning: null,
  sensitive: null,
  imageUrl: null,
  price: null,
  category: null,
  displayName: null,
  bio: null,
  links: null,
  mediaUrl: null,
  pictures: null,
  provenance: null,
  provenanceBasis: null,
};

type Kind = "post" | "comment" | "product" | "account" | "banner";

/** What each operation changes, deletes or attaches. Null if it changes no text or media that is there. */
const kindOf: Record<ApprovableOperation, Kind | null> = {
  createPost: null,
  editPost: "post",
  deletePost: "post",
  attachProduct: "product",
  createComment: null,
  editComment: "comment",
  deleteComment: "comment",
  editProfile: "account",
  setAvatar: "account",
  setBanner: "banner",
  deleteBanner: "banner",
  createProduct: null,
  editProduct: "product",
  deleteProduct: "product",
  likePost: null,
  unlikePost: null,
  repostPost: null,
  unrepostPost: null,
  vote: null,
  unvote: null,
  likeComment: null,
  unlikeComment: null,
  follow: null,
  unfollow: null,
  joinCommunity: null,
  leaveCommunity: null,
};

type Readers = Record<Kind, (db: Db, ids: number[]) => Promise<(readonly [id: number, target: Target])[]>>;

const readers: Readers = {
  async post(db, ids) {
    const rows = await db
      .selectFrom("posts")
      .select(["id", "fragment"])
      .where(sql<boolean>`id in (${db.engine.oneOf(ids)})`)
      .where("removed", "=", 0)
      .execute();
    return rows.map(({ id, fragment }) => {
      const { contentWarning = null, sensitive = false, ...facts } = fromFragment(fragment);
      const { title, body, url, alt, mediaType, mediaUrl, pictures = null } = facts;
      const label = authorshipIn(facts);
      const isUpload = mediaType !== "link" && mediaType !== "text";
      const alts = pictures?.map((picture) => picture.alt) ?? null;
      const text = { title, body, url, alt, alts, pictures, contentWarning, sensitive };
      return [id, { ...nothing, ...text, ...label, mediaUrl: isUpload ? mediaUrl : null }] as const;
    });
  },
  async comment(db, ids) {
    const rows = await db
      .selectFrom("comments")
      .select(["id", "body", "is_ai"])
      .where(sql<boolean>`id in (${db.engine.oneOf(ids)})`)
      .where("deleted", "=", 0)
      .execute();
    return rows.map(({ id, body, is_ai }) => [id, { ...nothing, body, ...markedAuthorship(is_ai) }] as const);
  },
  async product(db, ids) {
    const rows = await db
      .selectFrom("products")
      .select(["id", "title", "url", "image_url as imageUrl", "price", "category", "is_ai"])
      .where(sql<boolean>`id in (${db.engine.oneOf(ids)})`)
      .execute();
    return rows.map(
      ({ id, price, is_ai, ...rest }) =>
        [
          id,
          { ...nothing, ...rest, price: JSON.parse(price ?? "null"), ...markedAuthorship(is_ai) },
        ] as const,
    );
  },
  async account(db, ids) {
    const rows = await db
      .selectFrom("users")
      .select(["id", "bio", "avatar_url as mediaUrl"])
      .select(profileName("users").as("displayName"))
      .where(sql<boolean>`id in (${db.engine.oneOf(ids)})`)
      .execute();
    const links = await db
      .selectFrom("profile_links")
      .select(["user_id", "url"])
      .where(sql<boolean>`user_id in (${db.engine.oneOf(ids)})`)
      .orderBy("position")
      .execute();
    const linksOf = (id: number) => links.filter((link) => link.user_id === id).map(({ url }) => url);
    return rows.map(({ id, ...rest }) => [id, { ...nothing, ...rest, links: linksOf(id) }] as const);
  },
  async banner(db, ids) {
    const rows = await db
      .selectFrom("users")
      .select(["id", "banner_url as mediaUrl"])
      .where(sql<boolean>`id in (${db.engine.oneOf(ids)})`)
      .execute();
    return rows.map(({ id, mediaUrl }) => [id, { ...nothing, mediaUrl }] as const);
  },
};

/** Drafts as the API shows them. One query per kind of thing that they change or refer to, and two for the posts that they concern. */
export async function asDrafts(db: Db, rows: readonly FoundDraft[], now: number): Promise<Draft[]> {
  const drafts = rows.map(parseDraft);
  const [targets, referencesOf, posts] = await Promise.all([
    targetsOf(db, drafts),
    readReferences(db, drafts, now),
    aboutPosts(
      db,
      drafts.flatMap(({ subject }) => subject.postId ?? []),
      drafts.flatMap(({ subject }) => subject.commentId ?? []),
    ),
  ]);
  return drafts.map((draft) => {
    const { postId, commentId } = draft.subject;
    const post = posts.byPost.get(postId ?? 0) ?? posts.byComment.get(commentId ?? 0) ?? null;
    return asDraft(draft, { before: targets.get(draft.id) ?? null, post, ...referencesOf(draft) });
  });
}

/** What these drafts would change, by draft id. Drafts of something new or gone are left out. */
async function targetsOf(db: Db, drafts: readonly ParsedDraft[]): Promise<Map<number, Target>> {
  const targets = drafts.flatMap((draft) => {
    const kind = kindOf[draft.operation];
    const id = kind && targetIdOf(kind, draft);
    return kind && id != null ? [{ draft: draft.id, kind, id }] : [];
  });
  const kinds = [...new Set(targets.map(({ kind }) => kind))];
  const found = new Map<string, Target>();
  for (const kind of kinds) {
    const ids = targets.filter((target) => target.kind === kind).map(({ id }) => id);
    for (const [id, target] of await readers[kind](db, [...new Set(ids)])) found.set(`${kind} ${id}`, target);
  }
  return new Map(
    targets.flatMap(({ draft, kind, id }) => {
      const target = found.get(`${kind} ${id}`);
      return target ? [[draft, target]] : [];
    }),
  );
}

function targetIdOf(kind: Kind, draft: ParsedDraft): number | null {
  if (kind === "account" || kind === "banner") return draft.user_id;
  const { postId, commentId, productId } = draft.subject;
  return { post: postId, comment: commentId, product: productId }[kind];
}

const unlabelled = { provenance: null, provenanceBasis: null };

/** Whether a draft adds text or pictures, so that what it publishes or changes is labelled. */
function adds({ operation, author, input }: ParsedDraft, before: Target | null): boolean {
  // It changes the post.
  if (operation === "attachProduct") return true;
  if (operation === "editProfile") return addsToProfile(author, input, before ?? nothing);
  const { body, files } = operations[operation];
  return !isEngagement(operation) && (publishedFields(body).length > 0 || Object.keys(files).length > 0);
}

/** Whether the profile's marks will change by what a key or agent writes there. */
function addsToProfile(author: Caller, { displayName, bio, links }: DraftInput, before: Target): boolean {
  const marks = (text: string | null | undefined, field: "displayName" | "bio") =>
    text !== undefined && aiMarkOfText(author, text, { text: before[field], mark: 0 }) === 1;
  const isNew = (url: string) => !before.links?.includes(url);
  return marks(displayName, "displayName") || marks(bio, "bio") || links?.some(isNew) === true;
}

function asDraft(row: ParsedDraft, found: Pick<Draft, "before" | "post"> & References): Draft {
  const { before, post, comment, products, quote, chosenOptions } = found;
  const { id: _, productId: __, parentId = null, platform, author, name, ...fields } = row.input;
  const media = row.media === null ? null : withAlts({ alt: null, ...JSON.parse(row.media) }, fields);
  const { mediaUrl = null, pictures = null } = media ?? nothing;
  const isPicture = row.operation === "setAvatar" || row.operation === "setBanner";
  const shown = Object.entries(nothing).map(([name, none]) => [name, fields[name as keyof Target] ?? none]);
  return {
    id: row.id,
    operation: row.operation,
    state: row.state,
    author: row.author.username,
    keyId: row.key_id,
    ...row.subject,
    parentId,
    changes: isPicture ? ["image"] : Object.keys(fields),
    ...(Object.fromEntries(shown) as Target),
    ...(media && { alt: media.alt }),
    productIds: fields.productIds ?? null,
    products,
    community: fields.community ?? name ?? null,
    creator: platform && author ? { platform, author } : null,
    post,
    quoteId: fields.quoteId ?? null,
    quote,
    quotePolicy: fields.quotePolicy ?? null,
    poll: fields.poll ? pollOf(fields.poll) : null,
    choices: fields.choices ?? null,
    chosenOptions,
    ...(adds(row, before) ? draftAuthorship(row.author, fields.provenance) : unlabelled),
    mediaUrl,
    pictures,
    comment,
    before,
    publishAt: timeOf(row.publish_at),
    lastError: row.last_error,
    createdAt: new Date(row.created_at).toISOString(),
    editedAt: timeOf(row.edited_at),
  };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
