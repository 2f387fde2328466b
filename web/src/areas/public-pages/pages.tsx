import type { TextKey } from "../../i18n/keys.ts";
import { type PageRequest, page } from "../../shared/page.ts";
import { AboutView } from "./about.tsx";
import { DevelopersView } from "./developers.tsx";
import { OfflineView } from "./offline.tsx";
import { PolicyView } from "./policy.tsx";

const head =
  (canonical: string, title: TextKey, description: TextKey) =>
  ({ i18n }: PageRequest) => ({ canonical, title: i18n._(title), description: i18n._(description) });

export const About = page({ head: head("/about", "public.aboutTitle", "public.aboutLead"), View: AboutView });
export const Developers = page({
  head: head("/developers", "public.devTitle", "public.devLead"),
  View: DevelopersView,
});
export const Policy = page({
  head: head("/policy", "public.policyTitle", "public.policyLead"),
  View: PolicyView,
});
export const Offline = page({
  head: ({ i18n }) => ({ title: i18n._("public.offline"), unlisted: true }),
  View: OfflineView,
});
