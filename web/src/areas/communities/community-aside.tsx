import type { Community, CommunityMember } from "@tandem/contract/communities";
import { useText } from "../../i18n/use-text.tsx";
import { Aside, AsideSection } from "../../ui/aside.tsx";
import { AboutCommunity, Moderators } from "./about-community.tsx";

/** What a community is and who runs it, next to its posts and the pages to run it. */
export function CommunityAside({
  community,
  moderators,
}: {
  community: Community;
  moderators: readonly CommunityMember[];
}) {
  const { t } = useText();
  return (
    <Aside label={t("communities.about", { name: community.name })}>
      <AsideSection title={t("communities.aboutTitle")}>
        <div className="px-2">
          <AboutCommunity community={community} />
        </div>
      </AsideSection>
      <AsideSection title={t("communities.moderators")}>
        <Moderators moderators={moderators} />
      </AsideSection>
    </Aside>
  );
}
