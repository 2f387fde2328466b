import {
  agentNamesQuery,
  decisionsQuery,
  exportQuery,
  importsQuery,
  notificationPreferencesQuery,
  passkeysQuery,
  reportsQuery,
  securityQuery,
  sessionsQuery,
  webhooksQuery,
} from "../../data/account.ts";
import { agentsQuery, keysQuery } from "../../data/agents.ts";
import { meQuery } from "../../data/me.ts";
import { preferencesQuery } from "../../data/preferences.ts";
import { pushSubscriptionsQuery } from "../../data/push.ts";
import { invitationsQuery, registrationQuery } from "../../data/registration.ts";
import { addTexts } from "../../i18n/texts.ts";
import { NotFound, type PageRequest, page } from "../../shared/page.ts";
import { AccountStatusView } from "./account-status.tsx";
import { isSection, type SectionName, sectionInfo, sectionsFor } from "./sections.ts";
import { SectionView, SettingsView } from "./settings.tsx";

const roleOf = ({ api, queryClient }: Pick<PageRequest, "api" | "queryClient">) =>
  queryClient.getQueryData(meQuery(api).queryKey)?.role;

/** Loads each section's data. */
const loaders: Record<SectionName, (request: PageRequest) => Promise<unknown>> = {
  profile: async () => {},
  account: ({ api, queryClient }) => queryClient.ensureQueryData(securityQuery(api)),
  security: ({ api, queryClient }) =>
    Promise.all([
      queryClient.ensureQueryData(securityQuery(api)),
      queryClient.ensureQueryData(passkeysQuery(api)),
      queryClient.ensureQueryData(sessionsQuery(api)),
    ]),
  notifications: async ({ api, queryClient }) => {
    const forPeople =
      roleOf({ api, queryClient }) === "agent"
        ? null
        : queryClient.ensureQueryData(pushSubscriptionsQuery(api));
    await Promise.all([queryClient.ensureQueryData(notificationPreferencesQuery(api)), forPeople]);
  },
  content: ({ api, queryClient }) => queryClient.ensureQueryData(preferencesQuery(api)),
  appearance: async () => {},
  apps: ({ api, queryClient, i18n }) =>
    Promise.all([
      // The permissions of a key.
      addTexts(i18n, "agents"),
      queryClient.ensureQueryData(keysQuery(api)),
      queryClient.ensureQueryData(agentsQuery(api)),
    ]),
  webhooks: ({ api, queryClient }) =>
    Promise.all([
      queryClient.ensureQueryData(webhooksQuery(api)),
      queryClient.ensureQueryData(agentNamesQuery(api)),
    ]),
  invitations: ({ api, queryClient }) => queryClient.ensureQueryData(invitationsQuery(api)),
  import: ({ api, queryClient }) => queryClient.ensureQueryData(importsQuery(api)),
  data: ({ api, queryClient }) =>
    Promise.all([
      queryClient.ensureQueryData(exportQuery(api)),
      queryClient.ensureQueryData(securityQuery(api)),
    ]),
};

/** What the lists of sections need: who can sign up, and the names of the pages about people. */
async function loadSections({ api, queryClient, i18n }: PageRequest) {
  const registration = queryClient.ensureQueryData(registrationQuery(api));
  await addTexts(i18n, "people");
  return registration;
}

export const Settings = page({
  load: loadSections,
  head: ({ i18n }) => ({ title: i18n._("nav.settings"), unlisted: true }),
  View: SettingsView,
});

export const Section = page({
  load: async (request) => {
    const { section } = request.params;
    const { mode } = await loadSections(request);
    if (!isSection(section) || !sectionsFor(roleOf(request), mode).includes(section)) throw new NotFound();
    await loaders[section](request);
  },
  head: ({ i18n, params: { section } }) => ({
    title: i18n._(isSection(section) ? sectionInfo(section).title : "nav.settings"),
    unlisted: true,
  }),
  View: SectionView,
});

export const AccountStatus = page({
  load: async (request) => {
    const { api, queryClient } = request;
    const reports =
      roleOf({ api, queryClient }) === "agent"
        ? null
        : queryClient.ensureInfiniteQueryData(reportsQuery(api));
    await Promise.all([
      queryClient.ensureInfiniteQueryData(decisionsQuery(api)),
      reports,
      loadSections(request),
    ]);
  },
  head: ({ i18n }) => ({ title: i18n._("account.status"), unlisted: true }),
  View: AccountStatusView,
});
