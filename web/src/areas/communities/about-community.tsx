import type { Community, CommunityMember } from "@tandem/contract/communities";
import { useText } from "../../i18n/use-text.tsx";
import { MarkdownText } from "../../posts/markdown-text.tsx";
import { creatorAddress } from "../../shared/addresses.ts";
import { asideRow } from "../../ui/aside.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Link } from "../../ui/link.tsx";
import { Time } from "../../ui/time.tsx";

/** A community's policy on AI, its rules and since when it exists. */
export function AboutCommunity({ community: { aiPolicy, rules, createdAt } }: { community: Community }) {
  const { t } = useText();
  return (
    <div className="flex flex-col gap-3 text-sm">
      {aiPolicy && (
        <p>
          <span className="block font-semibold">{t(`communities.policy.${aiPolicy}`)}</span>
          <span className="text-soft">{t(`communities.policy.${aiPolicy}.description`)}</span>
        </p>
      )}
      {rules && (
        <div>
          <h3 className="font-semibold">{t("communities.rules")}</h3>
          <MarkdownText text={rules} highest={4} />
        </div>
      )}
      {createdAt && (
        <p className="text-soft">
          {t("communities.since")} <Time at={createdAt} />
        </p>
      )}
    </div>
  );
}

export function Moderators({ moderators }: { moderators: readonly CommunityMember[] }) {
  const { t } = useText();
  return (
    <ul>
      {moderators.map(({ username, displayName, avatarUrl, isAgent, role }) => (
        <li key={username}>
          <Link to={creatorAddress({ platform: "native", author: username })} className={asideRow}>
            <Avatar name={displayName ?? username} src={avatarUrl} isAgent={isAgent} size="small" />
            <span className="min-w-0">
              <span className="theirs-line block text-sm font-semibold">{displayName ?? username}</span>
              <span className="flex gap-1 text-sm text-soft">
                <span className="theirs-line">@{username}</span>
                <span className="shrink-0">· {t(`communities.role.${role}`)}</span>
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
