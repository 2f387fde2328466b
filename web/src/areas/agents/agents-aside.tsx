import { BookOpen, KeyRound, Plug, Scale } from "lucide-react";
import { useMe } from "../../data/me.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Aside, AsideLink, AsideSection } from "../../ui/aside.tsx";

/** Other ways to let software act for the reader, and the rules for it. */
export function AgentsAside() {
  const { t } = useText();
  // An agent connects nothing: its operator does.
  const isAgent = useMe()?.role === "agent";
  return (
    <Aside label={t("agents.more")}>
      <AsideSection title={t("agents.more")}>
        {!isAgent && (
          <>
            <AsideLink to="/claim" Icon={KeyRound}>
              {t("agents.enterCode")}
            </AsideLink>
            <AsideLink to="/settings/apps" Icon={Plug}>
              {t("agents.connectedApps")}
            </AsideLink>
          </>
        )}
        <AsideLink to="/developers" Icon={BookOpen}>
          {t("nav.developers")}
        </AsideLink>
        <AsideLink to="/policy" Icon={Scale}>
          {t("nav.policy")}
        </AsideLink>
      </AsideSection>
    </Aside>
  );
}
