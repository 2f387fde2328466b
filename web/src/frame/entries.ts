import type { User } from "@tandem/contract/resources";
import {
  Bell,
  Bookmark,
  Bot,
  ChartNoAxesColumn,
  FileClock,
  House,
  Info,
  Mail,
  PenLine,
  Search,
  Settings,
  Shield,
  UserRound,
  Users,
} from "lucide-react";
import type { ComponentType } from "react";
import type { Inbox } from "../data/unread.ts";
import type { TextKey } from "../i18n/keys.ts";
import type { Address, Target } from "../router/address.ts";
import { matchPath } from "../router/match.ts";
import { discoverPages } from "../ui/discover-pages.ts";

/** An entry of the navigation. */
export interface Entry extends Pick<Target, "to" | "search"> {
  label: TextKey;
  icon: ComponentType<{ className?: string; "aria-hidden"?: boolean | "true" }>;
  audience?: "members" | "people" | "admins";
  unread?: Inbox;
  /** Entries without a place of their own in the bars, which its page leads to. */
  leadsTo?: readonly Pick<Entry, "to">[];
}

const feed: Entry = { to: "/", label: "nav.feed", icon: House };
const search: Entry = { to: "/search", label: "nav.search", icon: Search, leadsTo: discoverPages };
const [, creators, , shop] = discoverPages;
const compose: Entry = { to: "/compose", label: "nav.compose", icon: PenLine };
const about: Entry = { to: "/about", label: "nav.about", icon: Info };
const notifications: Entry = {
  to: "/notifications",
  label: "nav.notifications",
  icon: Bell,
  audience: "members",
  unread: "notifications",
};
const messages: Entry = {
  to: "/messages",
  label: "nav.messages",
  icon: Mail,
  audience: "members",
  unread: "messages",
};
const saved: Entry = {
  to: "/",
  search: { saved: "1" },
  label: "nav.saved",
  icon: Bookmark,
  audience: "members",
};
const drafts: Entry = { to: "/drafts", label: "nav.drafts", icon: FileClock, audience: "members" };
const analytics: Entry = {
  to: "/analytics",
  label: "nav.analytics",
  icon: ChartNoAxesColumn,
  audience: "members",
};
/** On phones, leads members to everything that isn't in the bars, as the page about Tandem leads visitors. */
const you: Entry = { to: "/me", label: "nav.you", icon: UserRound };

/** The navigation column, in groups. */
const sideGroups: readonly (readonly Entry[])[] = [
  [feed, search, ...discoverPages],
  [notifications, messages, { to: "/friends", label: "nav.friends", icon: Users, audience: "people" }],
  [saved, drafts, analytics],
  [
    { to: "/agents", label: "nav.agents", icon: Bot, audience: "people" },
    { to: "/settings", label: "nav.settings", icon: Settings, audience: "members" },
    // Not `you` itself, under which phones have all pages without an entry.
    { ...you, audience: "members" },
    { to: "/admin", label: "nav.admin", icon: Shield, audience: "admins" },
  ],
];

export function sideGroupsFor(me: User | null): Entry[][] {
  const groups = sideGroups.map((entries) => entries.filter(({ audience }) => isFor(audience, me)));
  return groups.filter(({ length }) => length > 0);
}

function isFor(audience: Entry["audience"], me: User | null): boolean {
  if (audience === undefined) return true;
  if (audience === "admins") return me?.role === "admin";
  return me !== null && (audience === "members" || me.role !== "agent");
}

/** The bars on phones, for members and visitors: the tabs at the bottom, of which the last leads to the rest, and entries in the header. */
export const phoneBars = {
  members: {
    tabs: [feed, search, compose, notifications, you],
    header: [saved, drafts, analytics, messages],
  },
  visitors: { tabs: [feed, search, creators, shop, about], header: [] },
} satisfies Record<string, { tabs: Entry[]; header: Entry[] }>;

/**
 * The entry under which readers find the page at an address: it has the page's section, and, where several do, the most of the
 * address's parameters, or its page leads there. Other pages are found at `/me` or `/about`, if that leads to them: the latter
 * neither to the sign-in pages nor to those that ask visitors to log in.
 */
export function entryAt(entries: readonly Entry[], { path, search: given }: Address): Entry | undefined {
  const route = matchPath(path)?.route;
  if (route === undefined) return undefined;
  const { section, audience } = route;
  const sizeOf = (entry: Entry) => Object.keys(entry.search ?? {}).length;
  return (
    entries
      .filter(({ to }) => to === section)
      .filter(({ search = {} }) => Object.keys(search).every((name) => search[name] === given[name]))
      .toSorted((one, other) => sizeOf(other) - sizeOf(one))[0] ??
    entries.find(({ leadsTo }) => leadsTo?.some(({ to }) => to === section)) ??
    entries.find((entry) => entry === you || (entry === about && audience === "all" && !isSignIn(section)))
  );
}

const isSignIn = (section: string) => section === "/login" || section === "/signup";
