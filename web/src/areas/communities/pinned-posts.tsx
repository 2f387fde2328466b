import { useQueries } from "@tanstack/react-query";
import { Pin } from "lucide-react";
import { postQuery } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostCard } from "../../posts/post-card.tsx";
import { useApi } from "../../shared/context.ts";

/** The posts that a community shows first. Those that the reader can't see are left out. */
export function PinnedPosts({ ids }: { ids: readonly number[] }) {
  const { t } = useText();
  const api = useApi();
  const posts = useQueries({ queries: ids.map((id) => postQuery(api, id)) }).flatMap(
    ({ data }) => data ?? [],
  );
  if (posts.length === 0) return null;
  return (
    <section aria-labelledby="pinned" className="mb-2 sm:mb-4">
      <h2 id="pinned" className="flex items-center gap-1.5 px-4 pb-1 text-sm font-semibold text-soft">
        <Pin className="size-4" aria-hidden="true" />
        {t("communities.pinned")}
      </h2>
      <div className="flex flex-col gap-2 sm:gap-3">
        {posts.map((post) => (
          <PostCard key={post.id} post={post} />
        ))}
      </div>
    </section>
  );
}
