import type { FlatClient } from "@tandem/client";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "../../data/me.ts";
import { useAction } from "../../data/use-action.ts";
import { type ShownVersion, type VersionedKind, versionsOf, versionsQuery } from "../../data/versions.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { WithAside } from "../../ui/aside.tsx";
import { BackLink } from "../../ui/back-link.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorPage } from "../../ui/error-pages.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { type CurrentWarnings, VersionCard } from "./version-card.tsx";

const PostAside = lazyComponent(() => import("../post/aside-of-post.tsx"));

/** The version at which the page starts, from its URL. */
export function cursorIn({ cursor }: { cursor?: string | undefined }): number | null {
  return cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : null;
}

interface HistoryProps {
  kind: VersionedKind;
  id: number;
  /** The post that it is about. */
  postId: number | undefined;
  /** Where the post or comment is. */
  back: { to: string; hash?: string; text: string };
  /** Null for imported posts. */
  author: string | null;
  /** The warnings that the post has now. */
  warnings?: CurrentWarnings;
}

/** The versions of a post or comment, and how each differs from the one before. */
export function History({ kind, id, postId, back, author, warnings }: HistoryProps) {
  const { t } = useText();
  const cursor = cursorIn(useSearch());
  const list = useInfiniteQuery(versionsQuery(useApi(), kind, id, cursor));
  if (!list.data)
    return list.error ? (
      <ErrorPage error={list.error} reset={() => void list.refetch()} />
    ) : (
      <SkeletonCards count={2} />
    );
  const shown = versionsOf(list.data);
  return (
    <WithAside aside={postId !== undefined && <PostAside id={postId} />}>
      <div>
        <BackLink to={back.to} hash={back.hash}>
          {back.text}
        </BackLink>
        <PageTitle
          description={t("versions.description")}
          actions={<ClearButton kind={kind} id={id} author={author} shown={shown} />}
        >
          {t("versions.title")}
        </PageTitle>
        <ol className="flex flex-col gap-2 sm:gap-4">
          {shown.map((one) => (
            <VersionCard key={one.version.version} shown={one} current={warnings} />
          ))}
        </ol>
        <LoadMore list={list} cursor={list.data.pages.at(-1)?.nextCursor} />
      </div>
    </WithAside>
  );
}

type ClearCall = (api: FlatClient, id: number) => Promise<unknown>;

const clearAs: Record<"author" | "moderator", Record<VersionedKind, ClearCall>> = {
  author: {
    post: (api, id) => api.clearPostVersions({ id }),
    comment: (api, id) => api.clearCommentVersions({ id }),
  },
  moderator: {
    post: (api, id) => api.removePostVersions({ id }),
    comment: (api, id) => api.removeCommentVersions({ id }),
  },
};

/** Clears the earlier versions, for their author and for moderators. */
function ClearButton({
  kind,
  id,
  author,
  shown,
}: Pick<HistoryProps, "kind" | "id" | "author"> & { shown: readonly ShownVersion[] }) {
  const { t } = useText();
  const me = useMe();
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const role =
    me === null ? null : me.username === author ? "author" : me.role === "admin" ? "moderator" : null;
  const clear = useAction((api) => clearAs[role ?? "author"][kind](api, id), {
    onSuccess: () => {
      setOpen(false);
      void queryClient.invalidateQueries({ queryKey: ["versions", kind, id] });
    },
  });
  const hasEarlier = shown.some(({ version }) => !version.current && version.cleared === null);
  if (role === null || !hasEarlier) return null;
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        {t("versions.clear")}
      </Button>
      <LazyConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        onConfirm={() => clear.mutate()}
        busy={clear.isPending}
        title={t("versions.clearTitle")}
        description={t(`versions.clearDescription.${role}`)}
        action={t("versions.clear")}
      />
    </>
  );
}
