import { useInfiniteQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { feedQuery, postsOf } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { trendingCommunities } from "../../posts/trending.ts";
import { useNavigate, useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { Button } from "../../ui/button.tsx";
import { topicsOf, withTopics } from "./chosen.ts";
import { Step } from "./step.tsx";

const MAX_SHOWN = 24;
const next = "/welcome/ai";
const formId = "topics";
const hottest = { sort: "hot" } as const;

/** First step: what someone likes to read about. Nothing is stored; the third step suggests accounts by it. */
export const Topics = page({
  load: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(feedQuery(api, hottest)),
  head: ({ i18n }) => ({ title: i18n._("welcome.topics"), unlisted: true }),
  View: TopicsView,
});

function uniqueBy<T>(list: readonly T[], keyOf: (item: T) => unknown): T[] {
  return [...new Map(list.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
}

function TopicsView() {
  const { t } = useText();
  const search = useSearch();
  const feed = useInfiniteQuery(feedQuery(useApi(), hottest));
  const navigate = useNavigate();
  const chosen = topicsOf(search);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const topics = new FormData(event.currentTarget).getAll("topics").map(String);
    void navigate({ to: next, search: withTopics(topics) });
  };
  const posts = feed.data ? postsOf(feed.data) : [];
  // A topic means all communities of that name, on any platform.
  const communities = uniqueBy(trendingCommunities(posts, MAX_SHOWN), ({ community }) =>
    community?.toLowerCase(),
  );
  return (
    <Step
      number={1}
      title={t("welcome.topics")}
      description={t(communities.length === 0 ? "welcome.noTopics" : "welcome.topicsDescription")}
      next={
        <Button type="submit" form={formId} variant="primary">
          {t("welcome.next")}
        </Button>
      }
    >
      {/* Not controlled: what is chosen before hydration counts. */}
      <form id={formId} action={next} onSubmit={submit}>
        <fieldset aria-label={t("welcome.topics")} className="flex min-w-0 flex-wrap gap-2">
          {communities.map(({ platform, community }) => (
            <label
              key={community}
              className="flex min-h-11 max-w-full cursor-pointer items-center gap-2 rounded-full border border-edge px-4 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="checkbox"
                className="size-4 shrink-0"
                name="topics"
                value={community ?? ""}
                defaultChecked={chosen.includes(community ?? "")}
              />
              <span className="theirs-line font-medium">{community}</span>
              <span className="shrink-0 text-sm text-soft">{t(`platform.${platform}`)}</span>
            </label>
          ))}
        </fieldset>
      </form>
    </Step>
  );
}
