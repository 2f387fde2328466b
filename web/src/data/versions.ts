import type { FlatClient } from "@tandem/client";
import type { CommentVersion, PostVersion } from "@tandem/contract/versions";
import { type InfiniteData, infiniteQueryOptions } from "@tanstack/react-query";

export type VersionedKind = "post" | "comment";

/** A version of a post or comment. A comment's has only a body. */
export type Version = CommentVersion & Partial<PostVersion>;

interface Page {
  versions: Version[];
  /** Where the next page starts; null on the last. */
  nextCursor: number | null;
  /** Of comments: where they are, and whose. */
  postId?: number;
  username?: string;
}

/** Versions that a page shows. It loads one more, to compare the last with. */
const SHOWN = 10;

/** The versions of a post or comment, latest first, from the cursor on. */
export const versionsQuery = (api: FlatClient, kind: VersionedKind, id: number, cursor: number | null) =>
  infiniteQueryOptions({
    queryKey: ["versions", kind, id, cursor],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const input = { id, limit: SHOWN + 1, ...(pageParam !== null && { cursor: pageParam }) };
      const page: Omit<Page, "nextCursor"> =
        kind === "post"
          ? await api.listPostVersions(input, { signal })
          : await api.listCommentVersions(input, { signal });
      const next = page.versions.length > SHOWN ? (page.versions[SHOWN - 1]?.version ?? null) : null;
      return { ...page, nextCursor: next };
    },
    initialPageParam: cursor,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export interface ShownVersion {
  version: Version;
  /** The one that it replaced, as far as it is kept; undefined for the first. */
  before: Version | undefined;
}

/** The loaded versions, each with the one before it. */
export function versionsOf({ pages }: Pick<InfiniteData<Page>, "pages">): ShownVersion[] {
  const seen = new Set<number>();
  const all = pages
    .flatMap(({ versions }) => versions)
    .filter((one) => !seen.has(one.version) && seen.add(one.version));
  const shown = pages.at(-1)?.nextCursor === null ? all : all.slice(0, -1);
  return shown.map((version, i) => ({ version, before: all[i + 1] }));
}
