import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { feedQuery, postsOf } from "../../data/posts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { trendingCommunities } from "../../posts/trending.ts";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { topicsOf, withTopics } from "./chosen.ts";
import { Step } from "./step.tsx";

const MAX_SHOWN = 24;
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
  const [chosen, setChosen] = useState(() => new Set(topicsOf(search)));
  const posts = feed.data ? postsOf(feed.data) : [];
  // A topic means all communities of that name, on any platform.
  const communities = uniqueBy(trendingCommunities(posts, MAX_SHOWN), ({ community }) =>
    community?.toLowerCase(),
  );
  const toggle = (name: string) =>
    setChosen((before) =>
      before.has(name) ? new Set([...before].filter((one) => one !== name)) : new Set([...before, name]),
    );
  return (
    <Step
      number={1}
      title={t("welcome.topics")}
      description={t(communities.length === 0 ? "welcome.noTopics" : "welcome.topicsDescription")}
      next={
        <ButtonLink to="/welcome/ai" search={withTopics([...chosen])} variant="primary">
          {t("welcome.next")}
        </ButtonLink>
      }
    >
      <fieldset aria-label={t("welcome.topics")} className="flex flex-wrap gap-2">
        {communities.map(({ platform, community }) => (
          <label
            key={community}
            className="flex min-h-11 max-w-full cursor-pointer items-center gap-2 rounded-full border border-edge px-4 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="checkbox"
              className="size-4 shrink-0"
              checked={chosen.has(community ?? "")}
              onChange={() => toggle(community ?? "")}
            />
            <span className="theirs truncate font-medium">{community}</span>
            <span className="shrink-0 text-sm text-soft">{t(`platform.${platform}`)}</span>
          </label>
        ))}
      </fieldset>
    </Step>
  );
}
