import { useQuery } from "@tanstack/react-query";
import { Pin } from "lucide-react";
import { postQuery } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostCard } from "../../posts/post-card.tsx";
import { useApi } from "../../shared/context.ts";

/** The post that a creator shows first. */
export function PinnedPost({ id }: { id: number }) {
  const { t } = useText();
  const { data: post } = useQuery(postQuery(useApi(), id));
  if (!post) return null;
  return (
    <section aria-labelledby="pinned" className="mb-2 sm:mb-4">
      <h2 id="pinned" className="flex items-center gap-1.5 px-4 pb-1 text-sm font-semibold text-soft">
        <Pin className="size-4" aria-hidden="true" />
        {t("creators.pinned")}
      </h2>
      <PostCard post={post} />
    </section>
  );
}
