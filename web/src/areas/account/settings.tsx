import { useQuery } from "@tanstack/react-query";
import { ChevronRight, Gavel } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { useMe } from "../../data/me.ts";
import { registrationQuery } from "../../data/registration.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useParams } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Link } from "../../ui/link.tsx";
import { LogOutButton } from "../../ui/log-out-button.tsx";
import { PageTitle } from "../../ui/states.tsx";
import { AccountSection } from "./account-section.tsx";
import { AppearanceSection } from "./appearance.tsx";
import { AppsSection } from "./apps.tsx";
import { ContentSection } from "./content.tsx";
import { DataSection } from "./data-section.tsx";
import { ImportSection } from "./import-section.tsx";
import { InvitationsSection } from "./invitations.tsx";
import { NotificationsSection } from "./notifications.tsx";
import { ProfileSection } from "./profile.tsx";
import {
  isSection,
  peoplePagesFor,
  type SectionName,
  sectionAddress,
  sectionInfo,
  sectionsFor,
} from "./sections.ts";
import { SecuritySection } from "./security.tsx";
import { WebhooksSection } from "./webhooks.tsx";

const views: Record<SectionName, ComponentType> = {
  profile: ProfileSection,
  account: AccountSection,
  security: SecuritySection,
  notifications: NotificationsSection,
  content: ContentSection,
  appearance: AppearanceSection,
  apps: AppsSection,
  webhooks: WebhooksSection,
  invitations: InvitationsSection,
  import: ImportSection,
  data: DataSection,
};

/** The sections that the reader has here. */
function useSections(): readonly SectionName[] {
  const me = useMe();
  const { data: registration } = useQuery(registrationQuery(useApi()));
  return sectionsFor(me?.role, registration?.mode);
}

/** The overview of all settings. */
export function SettingsView() {
  const { t } = useText();
  const me = useMe();
  const sections = useSections();
  return (
    <div className="column max-w-3xl">
      <PageTitle
        actions={<LogOutButton />}
        description={me && t("account.settingsDescription", { name: fullName(me.username, me.displayName) })}
      >
        {t("nav.settings")}
      </PageTitle>
      <nav aria-label={t("nav.settings")} className={linkGrid}>
        {sections.map((name) => (
          <SectionLink key={name} to={sectionAddress(name)} {...sectionInfo(name)} />
        ))}
        <SectionLink
          to="/standing"
          icon={Gavel}
          title="account.status"
          description="account.statusDescription"
        />
      </nav>
      <h2 className="px-4 pt-6 pb-2 text-lg font-semibold sm:px-0">{t("people.group.people")}</h2>
      <nav aria-label={t("people.group.people")} className={linkGrid}>
        {peoplePagesFor(me?.role).map((one) => (
          <SectionLink key={one.to} {...one} />
        ))}
      </nav>
    </div>
  );
}

const linkGrid = "grid gap-2 px-4 sm:grid-cols-2 sm:gap-3 sm:px-0";

function SectionLink({
  to,
  icon: Icon,
  title,
  description,
}: ReturnType<typeof sectionInfo> & { to: string }) {
  const { t } = useText();
  return (
    <Link
      to={to}
      className="card flex items-center gap-4 p-4 transition hover:border-edge hover:bg-raised aria-[current]:bg-sunken aria-[current]:transition-none"
    >
      <span className="grid size-11 shrink-0 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon className="size-5" aria-hidden="true" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">{t(title)}</span>
        <span className="block text-sm text-soft">{t(description)}</span>
      </span>
      <ChevronRight className="size-5 shrink-0 text-soft rtl:rotate-180" aria-hidden="true" />
    </Link>
  );
}

/** One section of the settings. */
export function SectionView() {
  const { section } = useParams();
  const { t } = useText();
  if (!isSection(section)) return null;
  const Section = views[section];
  return (
    <SettingsLayout>
      <PageTitle description={t(sectionInfo(section).description)}>{t(sectionInfo(section).title)}</PageTitle>
      <div className="flex flex-col gap-3 sm:gap-4">
        <Section />
      </div>
    </SettingsLayout>
  );
}

/** Lists all sections next to the content on wide screens; shows a back link on narrow ones. */
export function SettingsLayout({ children }: { children: ReactNode }) {
  const { t } = useText();
  const role = useMe()?.role;
  const sections = useSections();
  const linkClass =
    "flex min-h-10 items-center gap-3 rounded-xl px-3 py-2 text-sm font-medium text-soft hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent";
  return (
    <div className="column flex max-w-4xl gap-8">
      <nav
        aria-label={t("nav.settings")}
        className="sticky top-0 hidden w-48 shrink-0 self-start pt-5 wide:block"
      >
        <Link to="/settings" className={linkClass}>
          {t("account.all")}
        </Link>
        {sections.map((name) => (
          <Link key={name} to={sectionAddress(name)} className={linkClass}>
            {t(sectionInfo(name).title)}
          </Link>
        ))}
        <Link to="/standing" className={linkClass}>
          {t("account.status")}
        </Link>
        <div className="mt-3 border-t pt-3">
          {peoplePagesFor(role).map(({ to, title }) => (
            <Link key={to} to={to} className={linkClass}>
              {t(title)}
            </Link>
          ))}
        </div>
      </nav>
      <div className="column min-w-0 flex-1">
        <BackLink to="/settings" className="wide:hidden">
          {t("nav.settings")}
        </BackLink>
        {children}
      </div>
    </div>
  );
}
