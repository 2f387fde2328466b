import type { Creator } from "@tandem/contract/resources";
import { ChartNoAxesColumn, MessageCircle, Pencil } from "lucide-react";
import { useMe } from "../../data/me.ts";
import { RichText } from "../../i18n/rich-text.tsx";
import { useText } from "../../i18n/use-text.tsx";
import { conversationAddress } from "../../shared/addresses.ts";
import { AgentMark } from "../../ui/agent-badge.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { isNative, platformNames } from "./creator-params.ts";
import { FollowButton } from "./follow-button.tsx";
import { Between, Blocked, useBetween } from "./relationship.tsx";

/** Who it is, and what one can do about them. */
export function Head({ creator }: { creator: Creator }) {
  const { author, displayName, avatarUrl, bio, authorIsAgent } = creator;
  return (
    <header className="card flex flex-col gap-4 p-5 max-sm:rounded-none max-sm:border-x-0 max-sm:border-t-0 sm:p-6">
      <div className="flex items-center gap-4">
        <Avatar name={displayName ?? author} src={avatarUrl} isAgent={authorIsAgent} size="large" />
        <div className="min-w-0 flex-1">
          <h1 className="theirs text-2xl leading-tight font-bold">{displayName ?? author}</h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-soft">
            <Whence creator={creator} />
            {authorIsAgent && <AgentMark />}
          </p>
        </div>
      </div>
      {bio && <p className="theirs whitespace-pre-line">{bio}</p>}
      <Counts creator={creator} />
      <Doings creator={creator} />
    </header>
  );
}

function Whence({ creator }: { creator: Creator }) {
  const { t } = useText();
  return isNative(creator) ? (
    <span className="theirs">@{creator.author}</span>
  ) : (
    <span className="theirs">{t("creators.gathered", { platform: platformNames[creator.platform] })}</span>
  );
}

function Counts({ creator: { postCount, followerCount } }: { creator: Creator }) {
  const strong = { n: <b className="font-bold text-ink" /> };
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-soft">
      <li>
        <RichText text="creators.postCount" values={{ count: postCount }} parts={strong} />
      </li>
      <li>
        <RichText text="creators.followerCount" values={{ count: followerCount }} parts={strong} />
      </li>
    </ul>
  );
}

function Doings({ creator }: { creator: Creator }) {
  const me = useMe();
  const native = isNative(creator);
  const own = native && me?.username.toLowerCase() === creator.author.toLowerCase();
  if (own) return <OwnDoings />;
  return native && me && me.role !== "agent" ? (
    <MembersDoings creator={creator} />
  ) : (
    <div className="flex flex-wrap gap-2">
      <FollowButton creator={creator} />
      {native && <MessageLink creator={creator} />}
    </div>
  );
}

function MembersDoings({ creator }: { creator: Creator }) {
  const between = useBetween(creator.author);
  if (between.blocked) return <Blocked creator={creator} />;
  return (
    <div className="flex flex-wrap gap-2">
      <FollowButton creator={creator} />
      <MessageLink creator={creator} />
      <Between creator={creator} between={between} />
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

function OwnDoings() {
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
