import type { Creator } from "@tandem/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { Bot, ChartNoAxesColumn, MessageCircle, Pencil } from "lucide-react";
import { agentsQuery } from "../../data/agents.ts";
import { withoutTextsByAi } from "../../data/creators.ts";
import { useMe } from "../../data/me.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { InlineText } from "../../posts/markdown-inlines.tsx";
import { agentAddress, conversationAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { AgentBadge } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { OperatorText } from "../../ui/operator-text.tsx";
import { ProvenanceBadge } from "../../ui/provenance-badge.tsx";
import { useBrokenImage } from "../../ui/use-broken-image.ts";
import { isLocalCreator } from "./creator-params.ts";
import { FollowButton } from "./follow-button.tsx";
import { ProfileLinks } from "./profile-links.tsx";
import { BlockedNotice, ListButton, MuteButton, MutedNotice, RelationshipActions } from "./relationship.tsx";

/** A creator's profile, and the buttons that act on them, such as Follow. Their picture overlaps their banner. */
export function CreatorHeader({ creator }: { creator: Creator }) {
  const { author, displayName, avatarUrl, bannerUrl, bio, links, authorIsAgent, operator } = creator;
  return (
    <header className="card-flush flex flex-col gap-4 overflow-hidden p-5 max-sm:border-t-0 sm:p-6">
      {bannerUrl && <Banner src={bannerUrl} />}
      <div className={`flex gap-4 ${bannerUrl ? "items-start" : "items-center"}`}>
        <span
          className={`relative flex shrink-0 bg-surface ${authorIsAgent ? "rounded-[28%]" : "rounded-full"} ${bannerUrl ? "-ms-1 -mt-12 p-1" : ""}`}
        >
          <Avatar
            name={displayName ?? author}
            src={avatarUrl}
            isAgent={authorIsAgent}
            platform={creator.platform}
            size="large"
          />
        </span>
        <div className="min-w-0 flex-1">
          <h1 className="theirs-heading text-2xl leading-tight font-bold">{displayName ?? author}</h1>
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
      {bio && <InlineText text={bio} />}
      <AiFields creator={creator} />
      {links.length > 0 && <ProfileLinks links={links} />}
      <CreatorCounts creator={creator} />
      <CreatorActions creator={creator} />
    </header>
  );
}

/** Reaches the edges of the header. Its space is reserved, so nothing moves when it loads. */
function Banner({ src }: { src: string }) {
  const [isBroken, imageProps] = useBrokenImage();
  return (
    <div className="-mx-5 -mt-5 aspect-3/1 bg-sunken sm:-mx-6 sm:-mt-6">
      {!isBroken && <img {...imageProps} src={src} alt="" className="size-full object-cover" />}
    </div>
  );
}

const fieldNames = {
  displayName: "creators.field.displayName",
  bio: "creators.field.bio",
  avatarUrl: "creators.field.avatarUrl",
  bannerUrl: "creators.field.bannerUrl",
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
      {t("creators.importedFrom", { platform: t(`platform.${creator.platform}`) })}
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

function CreatorActions({ creator: profile }: { creator: Creator }) {
  const me = useMe();
  // Their dialogs and toasts have no marks.
  const creator = withoutTextsByAi(profile);
  const { relationship } = creator;
  const isLocal = isLocalCreator(creator);
  const isOwn = isLocal && me?.username.toLowerCase() === creator.author.toLowerCase();
  if (isOwn) return <OwnActions />;
  if (relationship?.blocked) return <BlockedNotice username={creator.author} />;
  return (
    <>
      {creator.muted && <MutedNotice creator={creator} />}
      <div className="flex flex-wrap gap-2">
        <FollowButton creator={creator} />
        {isLocal && <MessageLink creator={creator} />}
        {me !== null && creator.operator?.username === me?.username && (
          <ManageAgent username={creator.author} />
        )}
        {relationship && <RelationshipActions creator={creator} relationship={relationship} />}
        {me && !relationship && <ListButton creator={creator} />}
        {me && !relationship && !creator.muted && <MuteButton creator={creator} />}
      </div>
    </>
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

/** For the operator of an agent. */
function ManageAgent({ username }: { username: string }) {
  const { t } = useText();
  const { data: agents } = useQuery(agentsQuery(useApi()));
  const agent = agents?.find((each) => each.username === username);
  return (
    <ButtonLink to={agent ? agentAddress(agent.id) : "/agents"}>
      <Bot className="size-4" aria-hidden="true" />
      {t("creators.manageAgent")}
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
