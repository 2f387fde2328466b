import type { Community } from "@tandem/contract/communities";
import { aiPolicies, communityRoles } from "@tandem/contract/community-names";
import { limits } from "@tandem/contract/limits";
import { plainText } from "@tandem/contract/markdown/plain";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Check, Scale, Search } from "lucide-react";
import type { ReactNode } from "react";
import { type CommunityList, communitiesQuery } from "../../data/communities.ts";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useNavigate, useSearch } from "../../router/provider.tsx";
import { communityTarget } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { type AddressValues, page } from "../../shared/page.ts";
import { Aside, AsideLink, AsideSection, WithAside } from "../../ui/aside.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CommunityPicture } from "../../ui/community-picture.tsx";
import { Link } from "../../ui/link.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { CardList } from "../../ui/person-row.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";

/** The list that an address asks for. */
function listIn({ view, q, platform }: AddressValues): CommunityList {
  const text = (q ?? "").trim().slice(0, limits.communityName.max);
  const here = platform === "native" && { platform: "native" as const };
  if (text) return { q: text, ...here };
  if (view === "mine") return { mine: 1 };
  return view === "new" ? { sort: "new", ...here } : { ...here };
}

/** The address's parameters that lead to a list. */
const searchOf = ({ q, mine, sort, platform }: CommunityList) => ({
  q,
  view: mine ? "mine" : sort,
  platform,
});

export const Communities = page({
  load: ({ api, queryClient, search }) =>
    queryClient.ensureInfiniteQueryData(communitiesQuery(api, listIn(search))),
  head: ({ i18n, search }) => ({
    title: i18n._("communities.title"),
    description: i18n._("communities.intro"),
    canonical: "/communities",
    unlisted: Object.keys(search).length > 0,
  }),
  View: CommunitiesView,
});

function CommunitiesView() {
  const { t } = useText();
  const me = useMe();
  const list = listIn(useSearch());
  const platform = list.platform ? { platform: list.platform } : {};
  const mayCreate = me !== null && me?.role !== "agent";
  return (
    <WithAside aside={<PoliciesAside />}>
      <div>
        <PageTitle
          description={t("communities.intro")}
          actions={
            mayCreate && (
              <ButtonLink to="/communities/new" variant="primary">
                {t("communities.create")}
              </ButtonLink>
            )
          }
        >
          {t("communities.title")}
        </PageTitle>
        <SearchField list={list} />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pb-3">
          <TabLinks label={t("communities.views")}>
            <TabLink
              to="/communities"
              search={searchOf(platform)}
              aria-current={isActive(list) ? "page" : undefined}
            >
              {t("communities.active")}
            </TabLink>
            <TabLink
              to="/communities"
              search={searchOf({ ...platform, sort: "new" })}
              aria-current={list.sort ? "page" : undefined}
            >
              {t("communities.new")}
            </TabLink>
            {me && (
              <TabLink
                to="/communities"
                search={{ view: "mine" }}
                aria-current={list.mine ? "page" : undefined}
              >
                {t("communities.mine")}
              </TabLink>
            )}
          </TabLinks>
          {!list.mine && <WhereFilter list={list} />}
        </div>
        <List list={list} />
      </div>
    </WithAside>
  );
}

/** How much AI communities can allow. */
function PoliciesAside() {
  const { t } = useText();
  return (
    <Aside label={t("communities.policies")}>
      <AsideSection title={t("communities.policies")}>
        <dl className="flex flex-col gap-3 px-2 pb-2 text-sm">
          {aiPolicies.map((policy) => (
            <div key={policy}>
              <dt className="font-semibold">{t(`communities.policy.${policy}`)}</dt>
              <dd className="text-soft">{t(`communities.policy.${policy}.description`)}</dd>
            </div>
          ))}
        </dl>
        <AsideLink to="/policy" Icon={Scale}>
          {t("nav.policy")}
        </AsideLink>
      </AsideSection>
    </Aside>
  );
}

const isActive = ({ q, mine, sort }: CommunityList) => !q && !mine && !sort;

/** All communities, or those of this service alone. */
function WhereFilter({ list: { platform, ...list } }: { list: CommunityList }) {
  const { t } = useText();
  const options = [
    [t("communities.everywhere"), {}],
    [t("communities.here"), { platform: "native" }],
  ] as const;
  return (
    <nav
      aria-label={t("communities.where")}
      className="mx-4 flex gap-1 rounded-xl bg-sunken p-1 text-sm font-semibold sm:mx-0"
    >
      {options.map(([label, where]) => (
        <Link
          key={label}
          to="/communities"
          search={searchOf({ ...list, ...where })}
          aria-current={platform === ("platform" in where ? where.platform : undefined) ? "true" : undefined}
          className="inline-flex min-h-9 items-center rounded-lg border border-transparent px-3 text-soft hover:text-ink aria-[current]:border-edge aria-[current]:bg-raised aria-[current]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Works without scripts, too. */
function SearchField({ list: { q = "", platform } }: { list: CommunityList }) {
  const { t } = useText();
  const navigate = useNavigate();
  return (
    <search className="block px-4 pb-4 sm:px-0">
      <form
        action="/communities"
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const input = String(new FormData(event.currentTarget).get("q") ?? "").trim();
          void navigate({
            to: "/communities",
            search: searchOf({ q: input, ...(platform && { platform }) }),
          });
        }}
      >
        {platform && <input type="hidden" name="platform" value={platform} />}
        <label className="relative block min-w-0 flex-1">
          <span className="sr-only">{t("communities.search")}</span>
          <Search className="absolute start-4 top-1/2 size-5 -translate-y-1/2 text-soft" aria-hidden="true" />
          <input
            key={q}
            type="search"
            name="q"
            defaultValue={q}
            maxLength={limits.communityName.max}
            placeholder={t("communities.searchHint")}
            autoComplete="off"
            className="min-h-12 w-full rounded-full border border-edge bg-raised ps-12 pe-4 text-base placeholder:text-soft focus:border-accent"
          />
        </label>
        <Button type="submit" className="min-h-12">
          {t("communities.searchButton")}
        </Button>
      </form>
    </search>
  );
}

function List({ list }: { list: CommunityList }) {
  const { t } = useText();
  const pages = useInfiniteQuery(communitiesQuery(useApi(), list));
  if (pages.isPending) return <SkeletonCards count={3} />;
  const communities = pages.data?.pages.flatMap((page) => page.communities) ?? [];
  if (communities.length === 0)
    return (
      <EmptyState drawing="people" title={t(list.q ? "communities.noResults" : "communities.none")}>
        {t(list.mine ? "communities.noneJoined" : "communities.noneHint")}
      </EmptyState>
    );
  return (
    <>
      <CardList label={t("communities.title")}>
        {communities.map((community) => (
          <Row key={`${community.platform}/${community.name}`} community={community} />
        ))}
      </CardList>
      <LoadMore list={pages} />
    </>
  );
}

function Pill({ isOwn = false, children }: { isOwn?: boolean; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-semibold ${isOwn ? "bg-accent-soft text-accent" : "bg-sunken text-ink"}`}
    >
      {children}
    </span>
  );
}

function Row({ community }: { community: Community }) {
  const { t } = useText();
  const { platform, name, description, memberCount, postCount, aiPolicy, role } = community;
  const isNative = platform === "native";
  const ownRole = communityRoles.find((one) => one === role);
  return (
    <li className="relative flex items-center gap-3 px-4 py-3 hover:bg-sunken">
      <CommunityPicture community={community} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Link
            {...communityTarget({ platform, community: name })}
            className="theirs-heading line-clamp-1 font-semibold after:absolute after:inset-0"
          >
            {name}
          </Link>
          {!isNative && (
            <span className="text-sm text-soft">
              {t("communities.importedFrom", { platform: t(`platform.${platform}`) })}
            </span>
          )}
        </p>
        {description && <p className="theirs line-clamp-2 text-sm">{plainText(description)}</p>}
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-soft">
          <span>
            {memberCount !== null && `${t("communities.members", { count: memberCount })} · `}
            {t("communities.posts", { count: postCount })}
          </span>
          {aiPolicy && aiPolicy !== "open" && <Pill>{t(`communities.policy.${aiPolicy}`)}</Pill>}
          {ownRole && (
            <Pill isOwn>
              <Check className="size-3.5" strokeWidth={2.5} aria-hidden="true" />
              {t(`communities.role.${ownRole}`)}
            </Pill>
          )}
        </p>
      </div>
    </li>
  );
}
