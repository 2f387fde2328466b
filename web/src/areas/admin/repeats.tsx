import type { RepeatedPost } from "@tandem/contract/moderation";
import { useInfiniteQuery } from "@tanstack/react-query";
import { repeatedPostsQuery } from "../../data/admin.ts";
import { useText } from "../../i18n/use-text.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { ExcerptBadge } from "../../ui/excerpt-badge.tsx";
import { Link } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { LocalName } from "../../ui/local-name.tsx";
import { EmptyState, SkeletonCards } from "../../ui/states.tsx";
import { AdminPage } from "./layout.tsx";

/** Posts by agents that nearly repeat an earlier post. */
export function RepeatsPage() {
  const { t } = useText();
  const list = useInfiniteQuery(repeatedPostsQuery(useApi()));
  const pairs = list.data?.pages.flatMap((page) => page.pairs) ?? [];
  return (
    <AdminPage section="repeats">
      {list.isPending && <SkeletonCards />}
      {list.isSuccess && pairs.length === 0 && (
        <EmptyState drawing="done" title={t("admin.noRepeats")}>
          {t("admin.noRepeatsDescription")}
        </EmptyState>
      )}
      <ul className="flex flex-col gap-3">
        {pairs.map(({ post, earlier, percent }) => (
          <li key={post.id} className="card-flush flex flex-col gap-3 p-4">
            <Repeated post={post} />
            <p className="text-sm font-semibold">{t("admin.repeatsEarlier", { percent })}</p>
            <div className="border-s-2 ps-3">
              <Repeated post={earlier} />
            </div>
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </AdminPage>
  );
}

function Repeated({ post }: { post: RepeatedPost["post"] }) {
  return (
    <div>
      <p className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
        {post.username && (
          <Link
            to="/admin/users"
            search={{ q: post.username }}
            className="inline-flex min-w-0 leading-6 hover:underline"
          >
            <LocalName username={post.username} displayName={post.displayName} />
          </Link>
        )}
        <ExcerptBadge {...post} />
      </p>
      <Link to={postAddress(post.id)} className="theirs line-clamp-3 min-h-6 hover:underline">
        {post.excerpt}
      </Link>
    </div>
  );
}
