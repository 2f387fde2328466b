import { plainBio } from "@tandem/contract/markdown/plain";
import type { Post } from "@tandem/contract/post-resources";
import { useQueries, useQuery } from "@tanstack/react-query";
import { authorsOf, creatorQuery } from "../../data/creators.ts";
import { useMe } from "../../data/me.ts";
import { relatedPostsQuery } from "../../data/posts.ts";
import { addTexts } from "../../i18n/texts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { AuthorAvatar } from "../../posts/author-avatar.tsx";
import { useSearch } from "../../router/provider.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullNameOf } from "../../shared/full-name.ts";
import { page } from "../../shared/page.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { CardList, PersonRow } from "../../ui/person-row.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { FollowButton } from "../creators/follow-button.tsx";
import { topicsOf } from "./chosen.ts";
import { Step } from "./step.tsx";

const MAX_TOPICS = 6;
const MAX_SHOWN = 10;
/** Enough for a feed worth reading. */
const ENOUGH = 5;

/** The filters whose authors are suggested: the chosen topics, then everything. */
const filtersOf = (topics: readonly string[]) => [
  ...topics.slice(0, MAX_TOPICS).map((community) => ({ community })),
  {},
];

/** Third step: whom to follow. */
export const People = page({
  load: ({ api, queryClient, search, i18n }) =>
    Promise.all([
      addTexts(i18n, "creators"),
      ...filtersOf(topicsOf(search)).map((filters) =>
        queryClient.prefetchQuery(relatedPostsQuery(api, filters)),
      ),
    ]),
  head: ({ i18n }) => ({ title: i18n._("welcome.people"), unlisted: true }),
  View: PeopleView,
});

function PeopleView() {
  const { t } = useText();
  const api = useApi();
  const me = useMe();
  const lists = useQueries({
    queries: filtersOf(topicsOf(useSearch())).map((filters) => relatedPostsQuery(api, filters)),
  });
  const isOther = ({ platform, author }: Post) => platform !== "native" || author !== me?.username;
  const suggested = authorsOf(inTurns(lists.map(({ data = [] }) => data.filter(isOther)))).slice(
    0,
    MAX_SHOWN,
  );
  const profiles = useQueries({ queries: suggested.map((post) => creatorQuery(api, post)) });
  const count = profiles.filter(({ data }) => data?.following).length;
  return (
    <Step
      number={3}
      title={t("welcome.people")}
      description={t("welcome.peopleDescription")}
      next={
        <ButtonLink to="/" search={count > 0 ? { followed: "1" } : {}} variant="primary">
          {t("welcome.done")}
        </ButtonLink>
      }
    >
      <p role="status" className="font-semibold">
        {t("welcome.followed", { count, enough: ENOUGH })}
      </p>
      {suggested.length === 0 ? (
        <EmptyState drawing="people" title={t("welcome.noSuggestions")}>
          {t("welcome.noSuggestionsDescription")}
        </EmptyState>
      ) : (
        <div className="max-sm:-mx-4">
          <CardList label={t("welcome.people")}>
            {suggested.map((post) => (
              <li key={creatorAddress(post)}>
                <SuggestedRow post={post} />
              </li>
            ))}
          </CardList>
        </div>
      )}
    </Step>
  );
}

function SuggestedRow({ post }: { post: Post }) {
  const { t } = useText();
  const { platform, author, authorName, authorIsAgent, followedCreator } = post;
  const { data: profile } = useQuery(creatorQuery(useApi(), post));
  const origin = platform === "native" ? `@${author}` : t(`platform.${platform}`);
  return (
    <PersonRow
      to={creatorAddress(post)}
      picture={<AuthorAvatar post={post} />}
      name={authorName ?? author}
      isAgent={authorIsAgent}
      description={[origin, profile?.bio && plainBio(profile.bio)].filter(Boolean).join(" · ")}
    >
      <FollowButton
        creator={{ platform, author, following: profile?.following ?? followedCreator }}
        name={fullNameOf({ platform, author, displayName: authorName })}
      />
    </PersonRow>
  );
}

/** The first of each list, then the second of each, and so on. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
