import { notFound, useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import {
  accountQuery,
  accountsQuery,
  appealsQuery,
  auditQuery,
  blockedLinksQuery,
  casesQuery,
  settingsQuery,
  sourcesQuery,
  statisticsQuery,
} from "../../data/admin.ts";
import { type PageRequest, page } from "../../shared/page.ts";
import { Appeals } from "./appeals.tsx";
import { Audit } from "./audit.tsx";
import { Links } from "./links.tsx";
import { OverviewPage } from "./overview.tsx";
import { Reports } from "./reports.tsx";
import { DAYS, isSection, type SectionName } from "./sections.ts";
import { Settings } from "./settings.tsx";
import { Sources } from "./sources.tsx";
import { Users } from "./users.tsx";

const views: Record<SectionName, ComponentType> = {
  reports: Reports,
  appeals: Appeals,
  users: Users,
  sources: Sources,
  links: Links,
  audit: Audit,
  settings: Settings,
};

const loads: Record<SectionName, (request: PageRequest) => Promise<unknown>> = {
  reports: ({ api, queryClient, search }) => queryClient.ensureInfiniteQueryData(casesQuery(api, search)),
  appeals: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(appealsQuery(api)),
  users: ({ api, queryClient, search }) =>
    search.id
      ? queryClient.ensureQueryData(accountQuery(api, Number(search.id)))
      : queryClient.ensureInfiniteQueryData(accountsQuery(api, search)),
  sources: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(sourcesQuery(api)),
  links: ({ api, queryClient }) => queryClient.ensureQueryData(blockedLinksQuery(api)),
  audit: ({ api, queryClient, search }) => queryClient.ensureInfiniteQueryData(auditQuery(api, search)),
  settings: ({ api, queryClient }) => queryClient.ensureQueryData(settingsQuery(api)),
};

export const Overview = page({
  load: ({ api, queryClient }) => queryClient.ensureQueryData(statisticsQuery(api, DAYS)),
  head: ({ i18n }) => ({ title: i18n._("admin.title"), unlisted: true }),
  View: OverviewPage,
});

export const Section = page({
  load: async (request) => {
    const { section } = request.params;
    if (!isSection(section)) throw notFound();
    await loads[section](request);
  },
  head: ({ i18n, params }) => ({ title: i18n._(`admin.${params.section}`), unlisted: true }),
  View: function SectionView() {
    const { section } = useParams({ strict: false });
    if (!isSection(section)) return null;
    const View = views[section];
    return <View />;
  },
});
