import type { CommentOrder, Post } from "@tandem/contract/post-resources";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { changePost } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate } from "../../router/provider.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { Button } from "../../ui/button.tsx";

/** Milliseconds between two questions for the number of comments, while the page is in view. */
const INTERVAL = 15_000;

/** Says how many comments came since the page was loaded, and shows them on a click. */
export function NewComments({ post, isComplete }: { post: Post; isComplete: boolean }) {
  const { t } = useText();
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: count } = useQuery({
    queryKey: ["comment-count", post.id],
    queryFn: async ({ signal }) => (await api.readPost({ id: post.id }, { signal })).post.commentCount,
    initialData: post.commentCount,
    refetchInterval: INTERVAL,
    staleTime: INTERVAL,
    retry: false,
  });
  const added = count - post.commentCount;
  const show = async () => {
    await queryClient.invalidateQueries({ queryKey: ["comments", post.id] });
    changePost(queryClient, post.id, (now) => ({ ...now, commentCount: count }));
    // Where not all comments are loaded, only this order is sure to have the new ones on its first page.
    const sort: CommentOrder = "new";
    if (!isComplete) await navigate({ to: postAddress(post.id), search: { sort }, hash: "comments" });
  };
  return (
    <div role="status" className="text-center">
      {added > 0 && (
        <Button size="small" className="my-2" onClick={() => void show()}>
          {t("thread.newComments", { count: added })}
        </Button>
      )}
    </div>
  );
}
