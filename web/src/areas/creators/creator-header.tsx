import type { Creator } from "@tandem/contract/resources";
import { ChartNoAxesColumn, MessageCircle, Pencil } from "lucide-react";
import { useMe } from "../../data/me.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { conversationAddress } from "../../shared/addresses.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { OperatorText } from "../../ui/operator-text.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { isLocalCreator, platformNames } from "./creator-params.ts";
import { FollowButton } from "./follow-button.tsx";
import { ProfileLinks } from "./profile-links.tsx";
import { BlockedNotice, RelationshipActions } from "./relationship.tsx";

/** A creator's profile, and the buttons that act on them, such as Follow. */
export function CreatorHeader({ creator }: { creator: Creator }) {
  const { author, displayName, avatarUrl, bio, links, authorIsAgent, operator } = creator;
  return (
    <header className="card flex flex-col gap-4 p-5 max-sm:rounded-none max-sm:border-x-0 max-sm:border-t-0 sm:p-6">
      <div className="flex items-center gap-4">
        <Avatar
          name={displayName ?? author}
          src={avatarUrl}
          isAgent={authorIsAgent}
          platform={creator.platform}
          size="large"
        />
        <div className="min-w-0 flex-1">
          <h1 className="theirs text-2xl leading-tight font-bold">{displayName ?? author}</h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-soft">
            <CreatorOrigin creator={creator} />
            {authorIsAgent && <AgentBadge />}
          </p>
        </div>
      </div>
      {operator && (
        <p className="text-soft">
          <OperatorText text="creators.operatedBy" operator={operator} />
        </p>
      )}
      {bio && <p className="theirs whitespace-pre-line">{bio}</p>}
      <AiFields creator={creator} />
      {links.length > 0 && <ProfileLinks links={links} />}
      <CreatorCounts creator={creator} />
      <CreatorActions creator={creator} />
    </header>
  );
}

const fieldNames = {
  displayName: "creators.field.displayName",
  bio: "creators.field.bio",
  avatarUrl: "creators.field.avatarUrl",
  links: "creators.field.links",
} as const;

/** Which parts of the profile AI wrote. Of agents' profiles, the badge next to the name says it. */
function AiFields({ creator: { aiGeneratedFields, authorIsAgent } }: { creator: Creator }) {
  const { t, locale } = useText();
  if (authorIsAgent || aiGeneratedFields.length === 0) return null;
  const names = aiGeneratedFields.map((field) => t(fieldNames[field]));
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
      <ProvenanceBadge provenance="ai_generated" provenanceBasis="stamped" />
      {new Intl.ListFormat(locale).format(names)}
    </p>
  );
}

function CreatorOrigin({ creator }: { creator: Creator }) {
  const { t } = useText();
  return isLocalCreator(creator) ? (
    <span className="theirs">@{creator.author}</span>
  ) : (
    <span className="theirs">
      {t("creators.importedFrom", { platform: platformNames[creator.platform] })}
    </span>
  );
}

function CreatorCounts({ creator: { postCount, followerCount, joinedAt } }: { creator: Creator }) {
  const { t, locale } = useText();
  const strong = { n: <b className="font-bold text-ink" /> };
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-soft">
      <li>
        <RichText text="creators.postCount" values={{ count: postCount }} parts={strong} />
      </li>
      <li>
        <RichText text="creators.followerCount" values={{ count: followerCount }} parts={strong} />
      </li>
      {joinedAt !== null && (
        <li>
          <time dateTime={joinedAt} suppressHydrationWarning>
            {t("creators.joined", { date: monthOf(joinedAt, locale) })}
          </time>
        </li>
      )}
    </ul>
  );
}

const monthOf = (time: string, locale: string) =>
  new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" }).format(
    Date.parse(time),
  );

function CreatorActions({ creator }: { creator: Creator }) {
  const me = useMe();
  const { relationship } = creator;
  const isLocal = isLocalCreator(creator);
  const isOwn = isLocal && me?.username.toLowerCase() === creator.author.toLowerCase();
  if (isOwn) return <OwnActions />;
  if (relationship?.blocked) return <BlockedNotice username={creator.author} />;
  return (
    <div className="flex flex-wrap gap-2">
      <FollowButton creator={creator} />
      {isLocal && <MessageLink creator={creator} />}
      {relationship && <RelationshipActions creator={creator} relationship={relationship} />}
    </div>
  );
}

function MessageLink({ creator: { author } }: { creator: Creator }) {
  const { t } = useText();
  return (
    <ButtonLink to={conversationAddress(author)}>
      <MessageCircle className="size-4" aria-hidden="true" />
      {t("creators.message")}
    </ButtonLink>
  );
}

function OwnActions() {
  const { t } = useText();
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink to="/settings/profile">
        <Pencil className="size-4" aria-hidden="true" />
        {t("creators.editProfile")}
      </ButtonLink>
      <ButtonLink to="/analytics">
        <ChartNoAxesColumn className="size-4" aria-hidden="true" />
        {t("creators.analytics")}
      </ButtonLink>
    </div>
  );
}
