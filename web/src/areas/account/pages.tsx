import { notFound } from "@tanstack/react-router";
import {
  agentNamesQuery,
  decisionsQuery,
  exportQuery,
  passkeysQuery,
  reportsQuery,
  securityQuery,
  sessionsQuery,
  toldOfQuery,
  webhooksQuery,
} from "../../data/account.ts";
import { meQuery } from "../../data/me.ts";
import { preferencesQuery } from "../../data/preferences.ts";
import { pushedQuery } from "../../data/push.ts";
import { type PageRequest, page } from "../../shared/page.ts";
import { StandingView } from "./account-status.tsx";
import { isSection, type SectionName, sectionsFor, told } from "./sections.ts";
import { SectionView, SettingsView } from "./settings.tsx";

const roleOf = ({ api, data }: Pick<PageRequest, "api" | "data">) =>
  data.getQueryData(meQuery(api).queryKey)?.role;

/** What a section must have before it is drawn. */
const loads: Record<SectionName, (request: PageRequest) => Promise<unknown>> = {
  profile: async () => {},
  account: ({ api, data }) => data.ensureQueryData(securityQuery(api)),
  security: ({ api, data }) =>
    Promise.all([
      data.ensureQueryData(securityQuery(api)),
      data.ensureQueryData(passkeysQuery(api)),
      data.ensureQueryData(sessionsQuery(api)),
    ]),
  notifications: async ({ api, data }) => {
    const forPeople = roleOf({ api, data }) === "agent" ? null : data.ensureQueryData(pushedQuery(api));
    await Promise.all([data.ensureQueryData(toldOfQuery(api)), forPeople]);
  },
  content: ({ api, data }) => data.ensureQueryData(preferencesQuery(api)),
  appearance: async () => {},
  webhooks: ({ api, data }) =>
    Promise.all([data.ensureQueryData(webhooksQuery(api)), data.ensureQueryData(agentNamesQuery(api))]),
  data: ({ api, data }) =>
    Promise.all([data.ensureQueryData(exportQuery(api)), data.ensureQueryData(securityQuery(api))]),
};

export const Settings = page({
  head: ({ i18n }) => ({ title: i18n._("nav.settings"), unlisted: true }),
  View: SettingsView,
});

export const Section = page({
  load: async (request) => {
    const { section } = request.params;
    if (!isSection(section) || !sectionsFor(roleOf(request)).includes(section)) throw notFound();
    await loads[section](request);
  },
  head: ({ i18n, params: { section } }) => ({
    title: i18n._(isSection(section) ? told(section).title : "nav.settings"),
    unlisted: true,
  }),
  View: SectionView,
});

export const Standing = page({
  load: async ({ api, data }) => {
    const reports =
      roleOf({ api, data }) === "agent" ? null : data.ensureInfiniteQueryData(reportsQuery(api));
    await Promise.all([data.ensureInfiniteQueryData(decisionsQuery(api)), reports]);
  },
  head: ({ i18n }) => ({ title: i18n._("account.standing"), unlisted: true }),
  View: StandingView,
});
