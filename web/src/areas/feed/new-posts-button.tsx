import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { useState } from "react";
import { errorMessage } from "../../data/error-messages.ts";
import { fetchNewPosts, MAX_NEW_POSTS, newestIdsQuery } from "../../data/new-posts.ts";
import { type FeedFilters, feedQuery, postsOf } from "../../data/posts.ts";
import { useToasts } from "../../data/toasts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { Spinner } from "../../ui/button.tsx";

/** Says how many posts are new, and shows them on click. The feed doesn't move until then. */
export default function NewPostsButton({ filters }: { filters: FeedFilters }) {
  const { t } = useText();
  const { showError } = useToasts();
  const api = useApi();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const count = useNewPostCount(filters);
  const show = async () => {
    setBusy(true);
    try {
      await fetchNewPosts(queryClient, api, filters);
      scrollTo({ top: 0 });
      document.querySelector<HTMLElement>("[data-post]")?.focus({ preventScroll: true });
    } catch (error) {
      showError(errorMessage(error, t));
    } finally {
      setBusy(false);
    }
  };
  return (
    count > 0 && (
      <button
        type="button"
        onClick={show}
        disabled={busy}
        className="pointer-events-auto inline-flex h-10 animate-[appear_0.2s] items-center gap-2 rounded-full bg-accent px-4 text-sm font-semibold whitespace-nowrap text-on-accent shadow-raised"
      >
        {busy ? <Spinner /> : <ArrowUp className="size-4" aria-hidden="true" />}
        {t(count < MAX_NEW_POSTS ? "card.newPosts" : "card.newPostsMany", { count })}
      </button>
    )
  );
}

/** The number of posts above the newest one in the feed. */
function useNewPostCount(filters: FeedFilters): number {
  const api = useApi();
  const queryClient = useQueryClient();
  const { data: newest = [] } = useQuery(newestIdsQuery(api, filters));
  const list = queryClient.getQueryData(feedQuery(api, filters).queryKey);
  if (!list) return 0;
  const known = new Set(postsOf(list).map(({ id }) => id));
  const firstKnown = newest.findIndex((id) => known.has(id));
  return firstKnown < 0 ? newest.length : firstKnown;
}
