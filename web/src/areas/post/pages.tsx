import type { Post as PostResource } from "@tandem/contract/post-resources";
import { useQuery } from "@tanstack/react-query";
import { commentsOf, commentsQuery } from "../../data/comments.ts";
import { feedQuery, postQuery } from "../../data/posts.ts";
import { storyQuery } from "../../data/story.ts";
import { useParams } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { ErrorPage } from "../../ui/error-pages.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { SkeletonCards } from "../../ui/states.tsx";
import { commentOrderOf } from "./comment-order.ts";
import { postHead } from "./post-metadata.ts";
import { PostView } from "./post-view.tsx";
import { PostsByMeaning } from "./posts-by-meaning.tsx";
import { quoteFilters } from "./quote-filters.ts";
import { QuotesView } from "./quotes.tsx";

const PostAside = lazyComponent(() => import("./post-aside.tsx"));

const parseId = ({ id }: { id?: string | undefined }) => Number(id);

/** Milliseconds between two polls while a post is being processed, and how long to keep polling. */
const POLL_INTERVAL = 2_000;
const MAX_WAIT = 30_000;

/** Whether the server is still preparing the video, or fetching the link's preview. */
function isProcessing({ mediaState, mediaType, card, postedAt }: PostResource): boolean {
  const isNew = Date.now() - Date.parse(postedAt) < MAX_WAIT;
  return isNew && (mediaState === "preparing" || (mediaType === "link" && card === null));
}

export const Post = page({
  load: async ({ api, queryClient, params, search }) => {
    const id = parseId(params);
    const [post] = await Promise.all([
      queryClient.ensureQueryData(postQuery(api, id)),
      // The page renders even if the comments fail to load.
      queryClient.prefetchInfiniteQuery(commentsQuery(api, id, commentOrderOf(search))),
    ]);
    if (post.storyCount > 1) await queryClient.prefetchQuery(storyQuery(api, id));
  },
  head: ({ api, queryClient, params, search, baseUrl, i18n }) => {
    const post = queryClient.getQueryData(postQuery(api, parseId(params)).queryKey);
    const { queryKey } = commentsQuery(api, parseId(params), commentOrderOf(search));
    const comments = queryClient.getQueryData(queryKey);
    return post
      ? postHead(post, comments ? commentsOf(comments) : [], { baseUrl, i18n })
      : { title: "Tandem", unlisted: true };
  },
  View: () => {
    const query = postQuery(useApi(), parseId(useParams()));
    const {
      data: post,
      error,
      refetch,
    } = useQuery({
      ...query,
      refetchInterval: ({ state }) => (state.data && isProcessing(state.data) ? POLL_INTERVAL : false),
    });
    if (post)
      return (
        <WithAside key={post.id} aside={<PostAside post={post} />}>
          <div className="min-w-0">
            <PostView post={post} />
            <PostsByMeaning post={post} />
          </div>
        </WithAside>
      );
    if (error) return <ErrorPage error={error} reset={() => void refetch()} />;
    return <SkeletonCards count={1} />;
  },
});

export const Quotes = page({
  load: ({ api, queryClient, params, search }) =>
    queryClient.ensureInfiniteQueryData(feedQuery(api, quoteFilters(parseId(params), search))),
  head: ({ i18n }) => ({ title: i18n._("thread.quotes"), unlisted: true }),
  View: QuotesView,
});
