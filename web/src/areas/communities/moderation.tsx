import type { Community, CommunityMember } from "@tandem/contract/communities";
import { useQuery } from "@tanstack/react-query";
import { communityQuery, isStaff } from "../../data/communities.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useParams, useSearch } from "../../router/provider.tsx";
import { communityAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { BackLink } from "../../ui/back-link.tsx";
import { NotFoundPage } from "../../ui/error-pages.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";
import { BanList } from "./ban-list.tsx";
import { CommunityAside } from "./community-aside.tsx";
import { DecisionList } from "./decision-list.tsx";
import { OpenReports, ResolvedReports } from "./report-queue.tsx";

export const Moderation = page({
  load: ({ api, queryClient, params: { name = "" } }) =>
    queryClient.ensureQueryData(communityQuery(api, name)),
  head: ({ i18n }) => ({ title: i18n._("communities.moderation"), unlisted: true }),
  View: ModerationView,
});

const views = {
  reports: OpenReports,
  resolved: ResolvedReports,
  decisions: DecisionList,
  bans: BanList,
} as const;
type ViewName = keyof typeof views;
const viewNames = Object.keys(views) as ViewName[];

function ModerationView() {
  const { name = "" } = useParams();
  const search = useSearch();
  const { community, moderators = [] } = useQuery(communityQuery(useApi(), name)).data ?? {};
  if (!community || !isStaff(community)) return <NotFoundPage />;
  const view = viewNames.find((each) => each === search.view) ?? "reports";
  return <Loaded community={community} moderators={moderators} view={view} />;
}

function Loaded({
  community,
  moderators,
  view,
}: {
  community: Community;
  moderators: readonly CommunityMember[];
  view: ViewName;
}) {
  const { t } = useText();
  const { name } = community;
  const to = `${communityAddress(name)}/moderation`;
  const View = views[view];
  return (
    <WithAside aside={<CommunityAside community={community} moderators={moderators} />}>
      <div>
        <BackLink to={communityAddress(name)}>{name}</BackLink>
        <PageTitle>{t("communities.moderation")}</PageTitle>
        <div className="pb-3">
          <TabLinks label={t("communities.moderationViews")}>
            {viewNames.map((each) => (
              <TabLink
                key={each}
                to={to}
                search={{ view: each }}
                aria-current={each === view ? "page" : undefined}
              >
                {t(`communities.${each}`)}
              </TabLink>
            ))}
          </TabLinks>
        </div>
        <View name={name} />
      </div>
    </WithAside>
  );
}
