import { List, UserCheck, UserRoundX, Users, VolumeX } from "lucide-react";
import { useMe } from "../data/me.ts";
import { useText } from "../i18n/use-text.tsx";
import { Aside, AsideLink, AsideSection } from "./aside.tsx";

const pages = [
  { to: "/friends", label: "nav.friends", icon: Users, isForAgents: false },
  { to: "/following", label: "people.following", icon: UserCheck, isForAgents: true },
  { to: "/lists", label: "people.lists", icon: List, isForAgents: true },
  { to: "/mutes", label: "people.mutes", icon: VolumeX, isForAgents: true },
  { to: "/blocks", label: "people.blocks", icon: UserRoundX, isForAgents: false },
] as const;

/** The other pages about the reader's relationships, next to one of them. */
export function PeopleAside({ current }: { current?: (typeof pages)[number]["to"] }) {
  const { t } = useText();
  const isAgent = useMe()?.role === "agent";
  const others = pages.filter(({ to, isForAgents }) => to !== current && (isForAgents || !isAgent));
  return (
    <Aside label={t("people.group.people")}>
      <AsideSection title={t("people.group.people")}>
        {others.map(({ to, label, icon }) => (
          <AsideLink key={to} to={to} Icon={icon}>
            {t(label)}
          </AsideLink>
        ))}
      </AsideSection>
    </Aside>
  );
}
