import { PenLine } from "lucide-react";
import type { ComponentProps } from "react";
import { useMe } from "../data/me.ts";
import { type Inbox, useUnread } from "../data/unread.ts";
import { useText } from "../i18n/use-text.tsx";
import { useChosen } from "../router/provider.tsx";
import { creatorAddress } from "../shared/addresses.ts";
import { aboutPages } from "../ui/about-pages.ts";
import { Avatar } from "../ui/avatar.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { Link } from "../ui/link.tsx";
import { type Entry, entryAt, phoneBars, sideGroupsFor } from "./entries.ts";
import { Logo } from "./logo.tsx";

/** Theme and language are rarely changed, so this loads last. */
const Switches = lazyComponent(async () => ({
  default: (await import("../ui/theme-language-select.tsx")).ThemeLanguageSelect,
}));

/** The navigation column on wide screens. */
export function SideNav() {
  const { t } = useText();
  const me = useMe();
  const groups = sideGroupsFor(me);
  const current = useCurrentEntry(groups.flat());
  return (
    <header className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col gap-1 overflow-y-auto py-4 rail:flex">
      <Link
        to="/"
        aria-label="Tandem"
        className="mb-1 flex items-center gap-2.5 rounded-xl px-3 py-2 text-xl font-extrabold -outline-offset-2 tracking-tight"
      >
        <Logo />
        Tandem
      </Link>
      <nav aria-label={t("nav.label")} className="flex flex-col gap-2">
        {groups.map((entries) => (
          <div key={entries[0]?.label} className="flex flex-col gap-0.5">
            {entries.map((entry) => (
              <EntryLink key={entry.label} entry={entry} current={current} className={sideLinkClass}>
                <entry.icon className="size-5 shrink-0" aria-hidden="true" />
                {t(entry.label)}
                {entry.unread && <UnreadBadge inbox={entry.unread} />}
              </EntryLink>
            ))}
          </div>
        ))}
      </nav>
      <div className="mt-3 px-1">
        {me ? (
          <ButtonLink
            to="/compose"
            variant="primary"
            className="w-full aria-[current]:border-accent aria-[current]:bg-accent-soft aria-[current]:text-accent"
          >
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
      <div className="mt-auto flex flex-col gap-2 pt-3">
        {me && (
          <Link
            to={creatorAddress({ platform: "native", author: me.username })}
            className="flex items-center gap-3 rounded-xl p-2 -outline-offset-2 hover:bg-sunken"
          >
            <Avatar name={me.displayName ?? me.username} src={me.avatarUrl} isAgent={me.role === "agent"} />
            <span className="min-w-0">
              <span className="theirs-line block font-semibold">{me.displayName ?? me.username}</span>
              <span className="theirs-line block text-sm text-soft">@{me.username}</span>
            </span>
          </Link>
        )}
        <Switches compact fallback={<div className="h-10" />} />
        <FooterLinks />
      </div>
    </header>
  );
}

/** On lower screens the entries are closer together, so that all of them and what follows fit on a laptop's. */
const sideLinkClass =
  "flex min-h-8 items-center gap-3 rounded-xl px-3 py-1.5 [@media(max-height:60rem)]:py-1 font-medium text-soft -outline-offset-2 transition hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:font-semibold aria-[current]:text-ink";

/** The label of the entry for the page that the reader has chosen. Their own profile belongs to `/me`. */
function useCurrentEntry(entries: readonly Entry[]) {
  const me = useMe();
  const own = me && creatorAddress({ platform: "native", author: me.username });
  return useChosen(
    (chosen) => entryAt(entries, chosen.path === own ? { ...chosen, path: "/me" } : chosen)?.label,
  );
}

function EntryLink({
  entry: { to, search, label },
  current,
  ...rest
}: Pick<ComponentProps<"a">, "className" | "title" | "children"> & {
  entry: Entry;
  current: Entry["label"] | undefined;
}) {
  return <Link to={to} search={search} aria-current={label === current ? "true" : undefined} {...rest} />;
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
      {aboutPages.map((name) => (
        <Link
          key={name}
          to={`/${name}`}
          className="inline-flex min-h-6 items-center hover:text-ink hover:underline"
        >
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
  const { header, tabs } = phoneBars[me ? "members" : "visitors"];
  const current = useCurrentEntry([...header, ...tabs]);
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center justify-between gap-2 border-b bg-ground/95 px-4 backdrop-blur rail:hidden">
      {/* One line high: a name without space beside the buttons moves to the next line, which is cut off. */}
      <Link
        to="/"
        aria-label="Tandem"
        className="flex h-11 min-w-0 flex-wrap gap-2 overflow-hidden text-lg leading-11 font-extrabold tracking-tight"
      >
        <Logo className="h-11 py-2.5" />
        Tandem
      </Link>
      <div className={`flex items-center ${me ? "-me-2.5" : "gap-2"}`}>
        {header.map((entry) => (
          <EntryLink
            key={entry.label}
            entry={entry}
            current={current}
            title={t(entry.label)}
            className="grid size-11 place-items-center rounded-full text-soft hover:bg-sunken aria-[current]:text-accent"
          >
            <span className="sr-only">{t(entry.label)}</span>
            <EntryIcon entry={entry} className="size-5" />
          </EntryLink>
        ))}
        {!me && (
          <>
            <ButtonLink to="/login" size="small" className="whitespace-nowrap">
              {t("nav.login")}
            </ButtonLink>
            <ButtonLink to="/signup" size="small" variant="primary" className="whitespace-nowrap">
              {t("nav.signup")}
            </ButtonLink>
          </>
        )}
      </div>
    </header>
  );
}

/** The tab bar on phones. */
export function BottomNav() {
  const { t } = useText();
  const { header, tabs } = phoneBars[useMe() ? "members" : "visitors"];
  const current = useCurrentEntry([...header, ...tabs]);
  return (
    <nav
      aria-label={t("nav.label")}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-surface pb-[env(safe-area-inset-bottom)] rail:hidden"
    >
      {tabs.map((entry) => (
        <EntryLink
          key={entry.label}
          entry={entry}
          current={current}
          className="flex min-w-0 flex-1 flex-col items-center gap-0.5 py-2 text-[0.6875rem] font-medium text-soft aria-[current]:text-accent"
        >
          <EntryIcon entry={entry} className="size-6" />
          {t(entry.label)}
        </EntryLink>
      ))}
    </nav>
  );
}

function EntryIcon({ entry: { icon: Icon, unread }, className }: { entry: Entry; className: string }) {
  return (
    <span className="relative">
      <Icon className={className} aria-hidden="true" />
      {unread && <UnreadBadge inbox={unread} small />}
    </span>
  );
}
