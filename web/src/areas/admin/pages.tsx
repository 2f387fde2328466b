import type { ComponentType } from "react";
import {
  accountQuery,
  accountsQuery,
  allInvitationsQuery,
  appealsQuery,
  auditQuery,
  blockedLinksQuery,
  casesQuery,
  repeatedPostsQuery,
  settingsQuery,
  signUpsQuery,
  sourcePostsQuery,
  sourceQuery,
  sourcesQuery,
  statisticsQuery,
} from "../../data/admin.ts";
import { sitePageQuery } from "../../data/site-pages.ts";
import { useParams } from "../../router/provider.tsx";
import { NotFound, type PageRequest, page } from "../../shared/page.ts";
import { AppealsPage } from "./appeals.tsx";
import { AuditPage } from "./audit.tsx";
import { InvitationsPage } from "./invitations.tsx";
import { BlockedLinksPage } from "./links.tsx";
import { OverviewPage } from "./overview.tsx";
import { RepeatsPage } from "./repeats.tsx";
import { ReportsPage } from "./reports.tsx";
import { DAYS, isSection, type SectionName } from "./sections.ts";
import { SettingsPage } from "./settings.tsx";
import { SignUpsPage } from "./sign-ups.tsx";
import { sitePageNames } from "./site-pages.plain.ts";
import { SitePagesPage } from "./site-pages.tsx";
import { SourcePage } from "./source.tsx";
import { SourcesPage } from "./sources.tsx";
import { UsersPage } from "./users.tsx";

const views: Record<SectionName, ComponentType> = {
  reports: ReportsPage,
  appeals: AppealsPage,
  repeats: RepeatsPage,
  signups: SignUpsPage,
  invitations: InvitationsPage,
  users: UsersPage,
  sources: SourcesPage,
  links: BlockedLinksPage,
  pages: SitePagesPage,
  audit: AuditPage,
  settings: SettingsPage,
};

const loaders: Record<SectionName, (request: PageRequest) => Promise<unknown>> = {
  reports: ({ api, queryClient, search }) => queryClient.ensureInfiniteQueryData(casesQuery(api, search)),
  appeals: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(appealsQuery(api)),
  repeats: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(repeatedPostsQuery(api)),
  signups: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(signUpsQuery(api)),
  invitations: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(allInvitationsQuery(api)),
  users: ({ api, queryClient, search }) =>
    search.id
      ? queryClient.ensureQueryData(accountQuery(api, Number(search.id)))
      : queryClient.ensureInfiniteQueryData(accountsQuery(api, search)),
  sources: ({ api, queryClient, search }) => queryClient.ensureInfiniteQueryData(sourcesQuery(api, search)),
  links: ({ api, queryClient }) => queryClient.ensureQueryData(blockedLinksQuery(api)),
  pages: ({ api, queryClient }) =>
    Promise.all(sitePageNames.map((name) => queryClient.ensureQueryData(sitePageQuery(api, name)))),
  audit: ({ api, queryClient, search }) => queryClient.ensureInfiniteQueryData(auditQuery(api, search)),
  settings: ({ api, queryClient }) => queryClient.ensureQueryData(settingsQuery(api)),
};

export const Overview = page({
  load: ({ api, queryClient }) => queryClient.ensureQueryData(statisticsQuery(api, DAYS)),
  head: ({ i18n }) => ({ title: i18n._("admin.title"), unlisted: true }),
  View: OverviewPage,
});

export const Source = page({
  load: async ({ api, queryClient, params }) => {
    const id = Number(params.id);
    if (!Number.isSafeInteger(id) || id < 1) throw new NotFound();
    await Promise.all([
      queryClient.ensureQueryData(sourceQuery(api, id)),
      queryClient.ensureQueryData(sourcePostsQuery(api, id)),
    ]);
  },
  head: ({ i18n }) => ({ title: i18n._("admin.sources"), unlisted: true }),
  View: SourcePage,
});

export const Section = page({
  load: async (request) => {
    const { section } = request.params;
    if (!isSection(section)) throw new NotFound();
    await loaders[section](request);
  },
  head: ({ i18n, params }) => ({ title: i18n._(`admin.${params.section}`), unlisted: true }),
  View: function SectionView() {
    const { section } = useParams();
    if (!isSection(section)) return null;
    const View = views[section];
    return <View />;
  },
});
