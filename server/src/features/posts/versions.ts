import type { PostVersion } from "@tandem/contract/versions";
import { notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { fromFragment, type PostFacts } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { clearVersions } from "../versions/clear-versions.ts";
import { currentVersion, listVersions, type VersionFacts } from "../versions/list-versions.ts";
import { contentOf, firstVersion, mediaKey, type PostContent } from "./post-versions.ts";
import { findOwnPost } from "./posts.queries.ts";

export const postVersions = {
  async listPostVersions(ctx, { id, limit, cursor }) {
    const { fragment, user_id: authorId, ...columns } = await findCurrent(ctx.read, id);
    const facts = fromFragment(fragment);
    const current = currentVersion(columns, firstVersion(facts));
    const list = { kind: "post", id, current, authorId, limit, cursor } as const;
    const { page, nextCursor } = await listVersions(ctx, list);
    const versions = page.map(({ facts: version, content }) =>
      asPostVersion(version, version.current ? contentOf(facts) : parsed(content), facts),
    );
    return { versions, nextCursor };
  },
  clearPostVersions: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findOwnPost(tx, id, ctx.caller);
      return { cleared: await clearVersions(tx, "post", id, { by: "author", now: ctx.now }) };
    }),
} satisfies Handlers<"listPostVersions" | "clearPostVersions">;

async function findCurrent(db: Db, id: number) {
  const row = await db
    .selectFrom("posts as p")
    .innerJoin("creators as c", "c.id", "p.creator_id")
    .select([
      "p.version",
      "p.version_at",
      "p.version_by",
      "p.edited_with",
      "p.made_with",
      "p.fragment",
      "c.user_id",
    ])
    .where("p.id", "=", id)
    .where("p.removed", "=", 0)
    .executeTakeFirst();
  if (!row) throw notFound("post");
  return row;
}

function parsed(content: string | null): PostContent | null {
  return content === null ? null : JSON.parse(content);
}

const cleared: PostContent = {
  title: null,
  body: null,
  url: null,
  mediaType: "text",
  mediaUrl: null,
  alt: null,
  productIds: [],
};

function asPostVersion(version: VersionFacts, content: PostContent | null, now: PostFacts): PostVersion {
  const { title, body, url, alt, contentWarning, sensitive, quoteId, poll, pictures, productIds, mediaType } =
    content ?? cleared;
  return {
    ...version,
    title,
    body,
    url,
    mediaType: content && mediaType,
    alt,
    alts: pictures?.map((picture) => picture.alt) ?? null,
    contentWarning: contentWarning ?? null,
    sensitive: sensitive ?? false,
    quoteId: quoteId ?? null,
    poll: poll ?? null,
    otherMedia: content !== null && showedOtherMedia(content, now),
    productIds,
  };
}

function showedOtherMedia(then: PostContent, now: PostFacts): boolean {
  const hasFile = then.mediaType !== "text" && then.mediaType !== "link";
  return hasFile && mediaKey(then) !== mediaKey(now);
}
