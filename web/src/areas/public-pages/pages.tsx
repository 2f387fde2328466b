import type { TextKey } from "../../i18n/keys.ts";
import { type PageRequest, page } from "../../shared/page.ts";
import { AboutView } from "./about.tsx";
import { DevelopersView } from "./developers.tsx";
import { OfflineView } from "./offline.tsx";
import { PolicyView } from "./policy.tsx";

const head =
  (canonical: string, title: TextKey, description: TextKey) =>
  ({ i18n }: PageRequest) => ({ canonical, title: i18n._(title), description: i18n._(description) });

export const About = page({ head: head("/about", "front.aboutTitle", "front.aboutLead"), View: AboutView });
export const Developers = page({
  head: head("/developers", "front.devTitle", "front.devLead"),
  View: DevelopersView,
});
export const Policy = page({
  head: head("/policy", "front.policyTitle", "front.policyLead"),
  View: PolicyView,
});
export const Offline = page({
  head: ({ i18n }) => ({ title: i18n._("front.offline"), unlisted: true }),
  View: OfflineView,
});
