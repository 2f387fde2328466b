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

/** Colours and language are seldom chosen anew: what chooses them comes after all else. */
const Switches = lazyComponent(async () => ({
  default: (await import("../ui/theme-language-select.tsx")).Switches,
}));

interface Place {
  to: string;
  says: TextKey;
  icon: ComponentType<{ className?: string; "aria-hidden"?: boolean | "true" }>;
  for?: "members" | "people" | "admins";
  unread?: Inbox;
}

const places: readonly Place[] = [
  { to: "/", says: "nav.feed", icon: House },
  { to: "/search", says: "nav.search", icon: Search },
  { to: "/creators", says: "nav.creators", icon: Compass },
  { to: "/live", says: "nav.live", icon: Radio },
  { to: "/shop", says: "nav.shop", icon: ShoppingBag },
  { to: "/notifications", says: "nav.notifications", icon: Bell, for: "members", unread: "notifications" },
  { to: "/messages", says: "nav.messages", icon: Mail, for: "members", unread: "messages" },
  { to: "/friends", says: "nav.friends", icon: Users, for: "people" },
  { to: "/agents", says: "nav.agents", icon: Bot, for: "people" },
  { to: "/keys", says: "nav.keys", icon: KeyRound, for: "people" },
  { to: "/settings", says: "nav.settings", icon: Settings, for: "members" },
  { to: "/admin", says: "nav.admin", icon: Shield, for: "admins" },
];

const placesTo = (...addresses: string[]) => places.filter(({ to }) => addresses.includes(to));

/** What a thumb reaches on a phone: for members the rest is at `/me`. */
const membersBottom: readonly Place[] = [
  ...placesTo("/", "/live"),
  { to: "/compose", says: "nav.compose", icon: PenLine },
  ...placesTo("/notifications"),
  { to: "/me", says: "nav.you", icon: UserRound },
];
const strangersBottom: readonly Place[] = [
  ...placesTo("/", "/creators", "/live", "/shop"),
  { to: "/signup", says: "nav.signup", icon: PenLine },
  { to: "/about", says: "nav.about", icon: Info },
];

function usePlaces(): readonly Place[] {
  const role = useMe()?.role;
  return places.filter(
    (place) =>
      !place.for ||
      (place.for === "admins" ? role === "admin" : role && (place.for === "members" || role !== "agent")),
  );
}

/** The column beside the page, where there is room for one. */
export function Side() {
  const { t } = useText();
  const me = useMe();
  const shown = usePlaces();
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
        {shown.map((place) => (
          <SidePlace key={place.to} place={place} />
        ))}
      </nav>
      <div className="mt-4 px-1">
        {me ? (
          <ButtonLink to="/compose" look="primary" className="w-full">
            <PenLine className="size-4" aria-hidden="true" />
            {t("nav.compose")}
          </ButtonLink>
        ) : (
          <div className="flex flex-col gap-2">
            <ButtonLink to="/signup" look="primary">
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
        <Switches small fallback={<div className="h-10" />} />
        <SmallPrint />
      </div>
    </header>
  );
}

const sideLook =
  "flex min-h-10 items-center gap-3 rounded-xl px-3 py-2 font-medium text-soft transition hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink";

function SidePlace({ place: { to, says, icon: Icon, unread } }: { place: Place }) {
  const { t } = useText();
  return (
    <Link to={to} className={sideLook}>
      <Icon className="size-5 shrink-0" aria-hidden="true" />
      {t(says)}
      {unread && <Unread of={unread} />}
    </Link>
  );
}

/** How much of it is unread, in a dot of its own. */
function Unread({ of, small = false }: { of: Inbox; small?: boolean }) {
  const { t } = useText();
  const unread = useUnread(of);
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

function SmallPrint() {
  const { t } = useText();
  return (
    <nav aria-label={t("nav.smallPrint")} className="flex flex-wrap gap-x-3 gap-y-1 px-2 text-xs text-soft">
      {(["about", "developers", "policy"] as const).map((name) => (
        <Link key={name} to={`/${name}`} className="hover:text-ink hover:underline">
          {t(`nav.${name}`)}
        </Link>
      ))}
    </nav>
  );
}

/** The line above the page on a phone. */
export function Top() {
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
          <TopLink to="/messages" label={t("nav.messages")}>
            <span className="relative">
              <Mail className="size-5" aria-hidden="true" />
              <Unread of="messages" small />
            </span>
          </TopLink>
        ) : (
          <ButtonLink to="/login" size="small">
            {t("nav.login")}
          </ButtonLink>
        )}
        <TopLink to="/search" label={t("nav.search")}>
          <Search className="size-5" aria-hidden="true" />
        </TopLink>
      </div>
    </header>
  );
}

function TopLink({ to, label, children }: { to: string; label: string; children: ReactNode }) {
  return (
    <Link to={to} className="grid size-10 place-items-center rounded-full text-soft hover:bg-sunken">
      <span className="sr-only">{label}</span>
      {children}
    </Link>
  );
}

export function Bottom() {
  const { t } = useText();
  const me = useMe();
  const look =
    "relative flex min-w-0 flex-1 flex-col items-center gap-0.5 py-2 text-[0.6875rem] font-medium text-soft aria-[current=page]:text-accent";
  return (
    <nav
      aria-label={t("nav.label")}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-surface pb-[env(safe-area-inset-bottom)] rail:hidden"
    >
      {(me ? membersBottom : strangersBottom).map(({ to, says, icon: Icon, unread }) => (
        <Link key={to} to={to} className={look}>
          <span className="relative">
            <Icon className="size-6" aria-hidden="true" />
            {unread && <Unread of={unread} small />}
          </span>
          {t(says)}
        </Link>
      ))}
    </nav>
  );
}
