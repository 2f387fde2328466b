import { routes } from "@tandem/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { type FeedFilters, feedQuery, postsOf } from "../../data/posts.ts";
import { similarQuery } from "../../data/similar.ts";
import { useText } from "../../i18n/use-text.tsx";
import { PostRow } from "../../posts/post-row.tsx";
import { useApp } from "../../shared/context.ts";
import { useNearViewport } from "../../ui/use-near-viewport.ts";

/** Posts that say in other words what someone searches for, below those that have the words. */
export function SimilarResults({ filters }: { filters: FeedFilters & { q: string } }) {
  const { t } = useText();
  const { api, queryClient } = useApp();
  const [ref, isNear] = useNearViewport<HTMLDivElement>();
  const { sort: _sort, cursor: _cursor, ...asked } = filters;
  // A search by meaning lacks some filters, such as a period.
  const hasFilters = Object.keys(asked).every((name) => routes.listSimilarPosts.query.includes(name));
  const { data = [] } = useQuery({ ...similarQuery(api, asked), enabled: isNear && hasFilters });
  const listed = queryClient.getQueryData(feedQuery(api, filters).queryKey);
  const listedIds = new Set(listed && postsOf(listed).map(({ id }) => id));
  const others = data.filter(({ id }) => !listedIds.has(id));
  return (
    <div ref={ref}>
      {others.length > 0 && (
        <section aria-labelledby="similar" className="card-flush mt-6 p-4">
          <h2 id="similar" className="mb-2 px-2 font-semibold">
            {t("search.similar")}
          </h2>
          <ul>
            {others.map((post) => (
              <PostRow key={post.id} post={post} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
