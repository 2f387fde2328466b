import type { User } from "@tandem/contract/resources";
import { useQuery } from "@tanstack/react-query";
import {
  Bookmark,
  Bot,
  ChartNoAxesColumn,
  FileClock,
  List,
  Mail,
  Scale,
  Search,
  Settings,
  Shield,
  Store,
  UserCheck,
  UserRoundX,
  Users,
  VolumeX,
} from "lucide-react";
import { creatorQuery } from "../../data/creators.ts";
import { meQuery, useMe } from "../../data/me.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { InlineText } from "../../posts/markdown-inlines.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { aboutPages } from "../../ui/about-pages.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Link } from "../../ui/link.tsx";
import { LogOutButton } from "../../ui/log-out-button.tsx";
import { MenuGroup, type MenuLink } from "../../ui/menu-group.tsx";

const RecentPosts = lazyComponent(() => import("../../posts/recent-posts.tsx"));

const creatorRefOf = ({ username }: User) => ({ platform: "native" as const, author: username });

export const Me = page({
  load: async ({ api, queryClient }) => {
    const me = await queryClient.ensureQueryData(meQuery(api));
    if (me) await queryClient.ensureQueryData(creatorQuery(api, creatorRefOf(me)));
  },
  head: ({ i18n }) => ({ title: i18n._("nav.you"), unlisted: true }),
  View: () => {
    const me = useMe();
    return me && <MeView me={me} />;
  },
});

interface Entry extends MenuLink {
  audience?: "people" | "admins";
}

const menuGroups: readonly { label: TextKey; links: readonly Entry[] }[] = [
  {
    label: "people.group.yours",
    links: [
      { to: "/", search: { saved: "1" }, label: "nav.saved", icon: Bookmark },
      { to: "/search", label: "nav.savedSearches", icon: Search },
      { to: "/drafts", label: "nav.drafts", icon: FileClock },
      { to: "/shop/mine", label: "people.shop", icon: Store },
      { to: "/analytics", label: "nav.analytics", icon: ChartNoAxesColumn },
    ],
  },
  {
    label: "people.group.people",
    links: [
      { to: "/messages", label: "nav.messages", icon: Mail },
      { to: "/friends", label: "nav.friends", icon: Users, audience: "people" },
      { to: "/following", label: "people.following", icon: UserCheck },
      { to: "/lists", label: "people.lists", icon: List },
      { to: "/mutes", label: "people.mutes", icon: VolumeX },
      { to: "/blocks", label: "people.blocks", icon: UserRoundX, audience: "people" },
    ],
  },
  {
    label: "people.group.account",
    links: [
      { to: "/agents", label: "nav.agents", icon: Bot, audience: "people" },
      { to: "/settings", label: "nav.settings", icon: Settings },
      { to: "/standing", label: "people.accountStatus", icon: Scale },
      { to: "/admin", label: "nav.admin", icon: Shield, audience: "admins" },
    ],
  },
];

function MeView({ me }: { me: User }) {
  const { t } = useText();
  return (
    <WithAside aside={<RecentPosts />}>
      <div className="flex flex-col gap-6 sm:pt-4">
        <Profile me={me} />
        {menuGroups.map(({ label, links }) => (
          <MenuGroup key={label} title={t(label)} links={links.filter((link) => isFor(link, me))} />
        ))}
        <div className="flex flex-col gap-4 px-4 sm:px-0">
          <LogOutButton />
          <nav
            aria-label={t("nav.footer")}
            className="flex flex-wrap justify-center gap-x-4 text-sm text-soft rail:hidden"
          >
            {aboutPages.map((name) => (
              <Link key={name} to={`/${name}`} className="inline-flex min-h-10 items-center hover:underline">
                {t(`nav.${name}`)}
              </Link>
            ))}
          </nav>
        </div>
      </div>
    </WithAside>
  );
}

const isFor = ({ audience }: Entry, { role }: User): boolean =>
  audience === undefined || (audience === "admins" ? role === "admin" : role !== "agent");

function Profile({ me }: { me: User }) {
  const { t } = useText();
  const { username, displayName, avatarUrl, role, bio } = me;
  const { data: creator } = useQuery(creatorQuery(useApi(), creatorRefOf(me)));
  const strong = { n: <b className="font-bold text-ink" /> };
  return (
    <header className="card-flush flex flex-col gap-4 p-5 max-sm:border-t-0 sm:p-6">
      <div className="flex items-center gap-4">
        <Avatar name={displayName ?? username} src={avatarUrl} isAgent={role === "agent"} size="large" />
        <div className="min-w-0">
          <h1 className="theirs-heading text-2xl leading-tight font-bold">{displayName ?? username}</h1>
          <p className="theirs-heading text-soft">@{username}</p>
        </div>
      </div>
      {bio && <InlineText text={bio} />}
      {creator && (
        <p className="flex flex-wrap gap-x-5 text-soft">
          <span>
            <RichText text="people.posts" values={{ count: creator.postCount }} parts={strong} />
          </span>
          <span>
            <RichText text="people.followers" values={{ count: creator.followerCount }} parts={strong} />
          </span>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={creatorAddress(creatorRefOf(me))} variant="primary">
          {t("people.profile")}
        </ButtonLink>
        <ButtonLink to="/settings/profile">{t("people.editProfile")}</ButtonLink>
      </div>
    </header>
  );
}
