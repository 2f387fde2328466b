import {
  Bell,
  Bot,
  Compass,
  House,
  Info,
  KeyRound,
  Mail,
  PenLine,
  Radio,
  Search,
  Settings,
  Shield,
  ShoppingBag,
  UserRound,
  Users,
} from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { useMe } from "../data/me.ts";
import { type Inbox, useUnread } from "../data/unread.ts";
import type { TextKey } from "../i18n/keys.ts";
import { useText } from "../i18n/use-text.tsx";
import { creatorAddress } from "../shared/addresses.ts";
import { Avatar } from "../ui/avatar.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { Link } from "../ui/link.tsx";
import { Logo } from "./logo.tsx";

/** Theme and language are rarely changed, so this loads last. */
const Switches = lazyComponent(async () => ({
  default: (await import("../ui/theme-language-select.tsx")).ThemeLanguageSelect,
}));

interface NavItem {
  to: string;
  label: TextKey;
  icon: ComponentType<{ className?: string; "aria-hidden"?: boolean | "true" }>;
  audience?: "members" | "people" | "admins";
  unread?: Inbox;
}

const navItems: readonly NavItem[] = [
  { to: "/", label: "nav.feed", icon: House },
  { to: "/search", label: "nav.search", icon: Search },
  { to: "/creators", label: "nav.creators", icon: Compass },
  { to: "/live", label: "nav.live", icon: Radio },
  { to: "/shop", label: "nav.shop", icon: ShoppingBag },
  {
    to: "/notifications",
    label: "nav.notifications",
    icon: Bell,
    audience: "members",
    unread: "notifications",
  },
  { to: "/messages", label: "nav.messages", icon: Mail, audience: "members", unread: "messages" },
  { to: "/friends", label: "nav.friends", icon: Users, audience: "people" },
  { to: "/agents", label: "nav.agents", icon: Bot, audience: "people" },
  { to: "/keys", label: "nav.keys", icon: KeyRound, audience: "people" },
  { to: "/settings", label: "nav.settings", icon: Settings, audience: "members" },
  { to: "/admin", label: "nav.admin", icon: Shield, audience: "admins" },
];

const itemsFor = (...addresses: string[]) => navItems.filter(({ to }) => addresses.includes(to));

/** The tab bar on phones. For members, everything else is at `/me`. */
const memberTabs: readonly NavItem[] = [
  ...itemsFor("/", "/live"),
  { to: "/compose", label: "nav.compose", icon: PenLine },
  ...itemsFor("/notifications"),
  { to: "/me", label: "nav.you", icon: UserRound },
];
const visitorTabs: readonly NavItem[] = [
  ...itemsFor("/", "/creators", "/live", "/shop"),
  { to: "/signup", label: "nav.signup", icon: PenLine },
  { to: "/about", label: "nav.about", icon: Info },
];

function useNavItems(): readonly NavItem[] {
  const role = useMe()?.role;
  return navItems.filter(
    (item) =>
      !item.audience ||
      (item.audience === "admins"
        ? role === "admin"
        : role && (item.audience === "members" || role !== "agent")),
  );
}

/** The navigation column on wide screens. */
export function SideNav() {
  const { t } = useText();
  const me = useMe();
  const items = useNavItems();
  return (
    <header className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col gap-1 overflow-y-auto py-4 rail:flex">
      <Link
        to="/"
        aria-label="Tandem"
        className="mb-3 flex items-center gap-2.5 rounded-xl px-3 py-2 text-xl font-extrabold tracking-tight"
      >
        <Logo />
        Tandem
      </Link>
      <nav aria-label={t("nav.label")} className="flex flex-col gap-0.5">
        {items.map((item) => (
          <SideNavLink key={item.to} item={item} />
        ))}
      </nav>
      <div className="mt-4 px-1">
        {me ? (
          <ButtonLink to="/compose" variant="primary" className="w-full">
            <PenLine className="size-4" aria-hidden="true" />
            {t("nav.compose")}
          </ButtonLink>
        ) : (
          <div className="flex flex-col gap-2">
            <ButtonLink to="/signup" variant="primary">
              {t("nav.signup")}
            </ButtonLink>
            <ButtonLink to="/login">{t("nav.login")}</ButtonLink>
          </div>
        )}
      </div>
      <div className="mt-auto flex flex-col gap-3 pt-6">
        {me && (
          <Link
            to={creatorAddress({ platform: "native", author: me.username })}
            className="flex items-center gap-3 rounded-xl p-2 hover:bg-sunken"
          >
            <Avatar name={me.displayName ?? me.username} src={me.avatarUrl} isAgent={me.role === "agent"} />
            <span className="min-w-0">
              <span className="theirs line-clamp-1 font-semibold">{me.displayName ?? me.username}</span>
              <span className="theirs line-clamp-1 text-sm text-soft">@{me.username}</span>
            </span>
          </Link>
        )}
        <Switches compact fallback={<div className="h-10" />} />
        <FooterLinks />
      </div>
    </header>
  );
}

const sideLinkClass =
  "flex min-h-10 items-center gap-3 rounded-xl px-3 py-2 font-medium text-soft transition hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink";

function SideNavLink({ item: { to, label, icon: Icon, unread } }: { item: NavItem }) {
  const { t } = useText();
  return (
    <Link to={to} className={sideLinkClass}>
      <Icon className="size-5 shrink-0" aria-hidden="true" />
      {t(label)}
      {unread && <UnreadBadge inbox={unread} />}
    </Link>
  );
}

/** A badge with the unread count. */
function UnreadBadge({ inbox, small = false }: { inbox: Inbox; small?: boolean }) {
  const { t } = useText();
  const unread = useUnread(inbox);
  if (unread === 0) return null;
  return (
    <span
      className={`grid min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-bold text-on-accent ${small ? "absolute start-3 -top-1.5" : "ms-auto"}`}
    >
      <span aria-hidden="true">{unread > 99 ? "99+" : unread}</span>
      <span className="sr-only">{t("nav.unread", { unread })}</span>
    </span>
  );
}

function FooterLinks() {
  const { t } = useText();
  return (
    <nav aria-label={t("nav.footer")} className="flex flex-wrap gap-x-3 gap-y-1 px-2 text-xs text-soft">
      {(["about", "developers", "policy", "transparency"] as const).map((name) => (
        <Link key={name} to={`/${name}`} className="hover:text-ink hover:underline">
          {t(`nav.${name}`)}
        </Link>
      ))}
    </nav>
  );
}

/** The header on phones. */
export function TopBar() {
  const { t } = useText();
  const me = useMe();
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center justify-between gap-2 border-b bg-ground/95 px-4 backdrop-blur rail:hidden">
      <Link
        to="/"
        aria-label="Tandem"
        className="flex items-center gap-2 text-lg font-extrabold tracking-tight"
      >
        <Logo className="h-6" />
        Tandem
      </Link>
      <div className="flex items-center gap-1">
        {me ? (
          <TopBarLink to="/messages" label={t("nav.messages")}>
            <span className="relative">
              <Mail className="size-5" aria-hidden="true" />
              <UnreadBadge inbox="messages" small />
            </span>
          </TopBarLink>
        ) : (
          <ButtonLink to="/login" size="small">
            {t("nav.login")}
          </ButtonLink>
        )}
        <TopBarLink to="/search" label={t("nav.search")}>
          <Search className="size-5" aria-hidden="true" />
        </TopBarLink>
      </div>
    </header>
  );
}

function TopBarLink({ to, label, children }: { to: string; label: string; children: ReactNode }) {
  return (
    <Link to={to} className="grid size-10 place-items-center rounded-full text-soft hover:bg-sunken">
      <span className="sr-only">{label}</span>
      {children}
    </Link>
  );
}

export function BottomNav() {
  const { t } = useText();
  const me = useMe();
  const linkClass =
    "relative flex min-w-0 flex-1 flex-col items-center gap-0.5 py-2 text-[0.6875rem] font-medium text-soft aria-[current=page]:text-accent";
  return (
    <nav
      aria-label={t("nav.label")}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-surface pb-[env(safe-area-inset-bottom)] rail:hidden"
    >
      {(me ? memberTabs : visitorTabs).map(({ to, label, icon: Icon, unread }) => (
        <Link key={to} to={to} className={linkClass}>
          <span className="relative">
            <Icon className="size-6" aria-hidden="true" />
            {unread && <UnreadBadge inbox={unread} small />}
          </span>
          {t(label)}
        </Link>
      ))}
    </nav>
  );
}
