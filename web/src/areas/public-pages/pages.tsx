import { sitePagesQuery } from "../../data/site-pages.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { type PageRequest, page } from "../../shared/page.ts";
import { AboutView } from "./about.tsx";
import { DevelopersView } from "./developers.tsx";
import { OfflineView } from "./offline.tsx";
import { PolicyView } from "./policy.tsx";
import { sitePage } from "./site-page.tsx";

const head =
  (canonical: string, title: TextKey, description: TextKey) =>
  ({ i18n }: PageRequest) => ({ canonical, title: i18n._(title), description: i18n._(description) });

export const About = page({
  load: ({ api, queryClient }) => queryClient.ensureQueryData(sitePagesQuery(api)),
  head: head("/about", "public.aboutTitle", "public.aboutLead"),
  View: AboutView,
});
export const Terms = sitePage("terms");
export const Privacy = sitePage("privacy");
export const Rules = sitePage("rules");
export const Contact = sitePage("contact");
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
