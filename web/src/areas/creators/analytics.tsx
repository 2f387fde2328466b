import type { TopPost } from "@tandem/contract/post-resources";
import { useQuery } from "@tanstack/react-query";
import { analyticsQuery } from "../../data/creators.ts";
import { useText } from "../../i18n/use-text.tsx";
import { postAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { Count, Time } from "../../ui/time.tsx";

export const Analytics = page({
  load: ({ api, queryClient }) => queryClient.ensureQueryData(analyticsQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("creators.analytics"), unlisted: true }),
  View: AnalyticsView,
});

const totals = ["views", "likes", "comments", "posts", "productClicks", "productClicks7d"] as const;
const measures = ["viewCount", "likeCount", "commentCount", "productClicks"] as const;

function AnalyticsView() {
  const { t } = useText();
  const { data } = useQuery(analyticsQuery(useApi()));
  if (!data) return <SkeletonCards />;
  return (
    <div className="column max-w-3xl">
      <PageTitle description={t("creators.analyticsDescription")}>{t("creators.analytics")}</PageTitle>
      <dl className="grid grid-cols-2 gap-2 px-4 sm:grid-cols-3 sm:gap-3 sm:px-0">
        {totals.map((name) => (
          <div key={name} className="card flex flex-col-reverse justify-end p-4">
            <dt className="text-sm text-soft">{t(`creators.total.${name}`)}</dt>
            <dd className="text-3xl font-bold tabular-nums">
              <Count value={data.totals[name]} />
            </dd>
          </div>
        ))}
      </dl>
      <h2 id="top" className="px-4 pt-8 pb-2 text-lg font-bold sm:px-0">
        {t("creators.top")}
      </h2>
      {data.topPosts.length === 0 ? (
        <EmptyState
          drawing="chart"
          title={t("creators.topNone")}
          action={
            <ButtonLink to="/compose" variant="primary">
              {t("nav.compose")}
            </ButtonLink>
          }
        >
          {t("creators.topNoneDescription")}
        </EmptyState>
      ) : (
        <TopPosts posts={data.topPosts} />
      )}
    </div>
  );
}

/** Statistics per post. The views are also drawn as a bar, which screen readers skip. */
function TopPosts({ posts }: { posts: readonly TopPost[] }) {
  const { t } = useText();
  const maxViews = Math.max(1, ...posts.map(({ viewCount }) => viewCount));
  return (
    <div className="card-flush overflow-x-auto">
      <table aria-labelledby="top" className="w-full text-sm">
        <thead className="text-soft">
          <tr>
            <th scope="col" className="px-4 py-3 text-start font-semibold">
              {t("creators.post")}
            </th>
            {measures.map((name) => (
              <th
                key={name}
                scope="col"
                className={`px-3 py-3 text-end font-semibold last:pe-4 ${name === "viewCount" ? "" : "max-sm:hidden"}`}
              >
                {t(`creators.postTotal.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y border-t">
          {posts.map((post) => (
            <TopRow key={post.id} post={post} maxViews={maxViews} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TopRow({ post, maxViews }: { post: TopPost; maxViews: number }) {
  const { t, locale } = useText();
  return (
    <tr>
      <th scope="row" className="w-full max-w-0 px-4 py-3 text-start font-normal">
        <Link
          to={postAddress(post.id)}
          className="theirs-line block min-h-6 leading-6 font-semibold hover:underline"
        >
          {post.title ?? t("card.withoutTitle")}
        </Link>
        <ProvenanceBadge {...post} short />
        <p className="text-xs text-soft">
          <Time at={post.postedAt} />
          <span className="sm:hidden">
            {" · "}
            {t("creators.postStatistics", {
              likes: post.likeCount,
              comments: post.commentCount,
              clicks: post.productClicks,
            })}
          </span>
        </p>
        <svg className="mt-1.5 h-2 w-full overflow-hidden rounded-full rtl:-scale-x-100" aria-hidden="true">
          <rect width="100%" height="8" className="fill-sunken" />
          <rect width={`${(post.viewCount / maxViews) * 100}%`} height="8" rx="4" className="fill-accent" />
        </svg>
      </th>
      {measures.map((name) => (
        <td
          key={name}
          className={`px-3 py-3 text-end align-top tabular-nums last:pe-4 ${name === "viewCount" ? "font-semibold" : "max-sm:hidden"}`}
        >
          {post[name].toLocaleString(locale)}
        </td>
      ))}
    </tr>
  );
}
