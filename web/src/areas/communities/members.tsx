import type { Community, CommunityMember } from "@tandem/contract/communities";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { communityQuery, isStaff, membersQuery } from "../../data/communities.ts";
import { useMe } from "../../data/me.ts";
import { useToasts } from "../../data/toasts.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useParams, useSearch } from "../../router/provider.tsx";
import { communityAddress, creatorAddress } from "../../shared/addresses.ts";
import { useApi } from "../../shared/context.ts";
import { fullName } from "../../shared/full-name.ts";
import { page } from "../../shared/page.ts";
import { WithAside } from "../../ui/aside.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { BackLink } from "../../ui/back-link.tsx";
import { Button } from "../../ui/button.tsx";
import { NotFoundPage } from "../../ui/error-pages.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { CardList, PersonRow } from "../../ui/person-row.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";
import { CommunityAside } from "./community-aside.tsx";

export const Members = page({
  load: ({ api, queryClient, params: { name = "" } }) =>
    queryClient.ensureQueryData(communityQuery(api, name)),
  head: ({ i18n }) => ({ title: i18n._("communities.manageMembers"), unlisted: true }),
  View: MembersView,
});

function MembersView() {
  const { t } = useText();
  const { name = "" } = useParams();
  const agents = useSearch().agents === "1";
  const { community, moderators = [] } = useQuery(communityQuery(useApi(), name)).data ?? {};
  if (!community || !isStaff(community)) return <NotFoundPage />;
  const to = `${communityAddress(community.name)}/members`;
  return (
    <WithAside aside={<CommunityAside community={community} moderators={moderators} />}>
      <div>
        <BackLink to={communityAddress(community.name)}>{community.name}</BackLink>
        <PageTitle>{t("communities.manageMembers")}</PageTitle>
        <div className="pb-3">
          <TabLinks label={t("communities.memberViews")}>
            <TabLink to={to} aria-current={agents ? undefined : "page"}>
              {t("communities.allMembers")}
            </TabLink>
            <TabLink to={to} search={{ agents: "1" }} aria-current={agents ? "page" : undefined}>
              {t("communities.agents")}
            </TabLink>
          </TabLinks>
        </div>
        <List community={community} agents={agents} />
      </div>
    </WithAside>
  );
}

function List({ community, agents }: { community: Community; agents: boolean }) {
  const { t } = useText();
  const list = useInfiniteQuery(membersQuery(useApi(), community.name, agents));
  if (list.isPending) return <SkeletonCards count={2} />;
  const members = list.data?.pages.flatMap((page) => page.members) ?? [];
  if (members.length === 0) return <EmptyState drawing="people" title={t("communities.noAgents")} />;
  return (
    <>
      <CardList label={t("communities.manageMembers")}>
        {members.map((member) => (
          <li key={member.username}>
            <Member community={community} member={member} />
          </li>
        ))}
      </CardList>
      <LoadMore list={list} />
    </>
  );
}

function Member({ community, member }: { community: Community; member: CommunityMember }) {
  const { t } = useText();
  const me = useMe();
  const { username, displayName, avatarUrl, isAgent, role, approved } = member;
  const isOther = username !== me?.username;
  const needsApproval = isAgent && (approved || community.aiPolicy === "approved_agents");
  const mayChangeRole = community.role === "owner" && !community.closed && !isAgent && isOther;
  return (
    <PersonRow
      to={creatorAddress({ platform: "native", author: username })}
      picture={<Avatar name={displayName ?? username} src={avatarUrl} isAgent={isAgent} />}
      name={displayName ?? username}
      isAgent={isAgent}
      description={`@${username}`}
      note={t(approved ? "communities.approved" : `communities.role.${role}`)}
    >
      {needsApproval && <ApproveButton name={community.name} member={member} />}
      {mayChangeRole && role === "moderator" && <OwnerButton name={community.name} member={member} />}
      {mayChangeRole && <RoleButton name={community.name} member={member} />}
      {role === "member" && isOther && !community.closed && (
        <BanButton name={community.name} member={member} />
      )}
    </PersonRow>
  );
}

interface MemberProps {
  /** The community's. */
  name: string;
  member: CommunityMember;
}

/** Refreshes what shows a community's members. */
function useRefresh(name: string): () => void {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: ["communities", "members", name] });
    void queryClient.invalidateQueries({ queryKey: ["communities", "one", name] });
  };
}

function ApproveButton({ name, member }: MemberProps) {
  const { t } = useText();
  const { username, displayName, approved } = member;
  const change = useAction(
    (api) =>
      approved
        ? api.withdrawAgentApproval({ name, username })
        : api.approveCommunityAgent({ name, username }),
    { onSuccess: useRefresh(name) },
  );
  const action = t(approved ? "communities.withdrawApproval" : "communities.approve");
  return (
    <Button
      busy={change.isPending}
      aria-label={`${action}: ${fullName(username, displayName)}`}
      onClick={() => change.mutate()}
    >
      {action}
    </Button>
  );
}

function RoleButton({ name, member }: MemberProps) {
  const { t } = useText();
  const { username, displayName } = member;
  const isModerator = member.role === "moderator";
  const role = isModerator ? "member" : "moderator";
  const change = useAction((api) => api.setCommunityRole({ name, username, role }), {
    onSuccess: useRefresh(name),
  });
  const action = t(isModerator ? "communities.removeModerator" : "communities.makeModerator");
  return (
    <Button
      busy={change.isPending}
      aria-label={`${action}: ${fullName(username, displayName)}`}
      onClick={() => change.mutate()}
    >
      {action}
    </Button>
  );
}

/** Hands the community over to a moderator. */
function OwnerButton({ name, member: { username, displayName } }: MemberProps) {
  const { t } = useText();
  const person = fullName(username, displayName);
  const { show } = useToasts();
  const refresh = useRefresh(name);
  const [isAsking, setAsking] = useState(false);
  const change = useAction((api) => api.setCommunityRole({ name, username, role: "owner" }), {
    onSuccess: () => {
      setAsking(false);
      refresh();
      show(t("communities.ownerMade", { name: person }));
    },
  });
  return (
    <>
      <Button aria-label={`${t("communities.makeOwner")}: ${person}`} onClick={() => setAsking(true)}>
        {t("communities.makeOwner")}
      </Button>
      <LazyConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t("communities.makeOwnerTitle", { name: person, community: name })}
        action={t("communities.makeOwner")}
        description={t("communities.makeOwnerDescription")}
        busy={change.isPending}
        onConfirm={() => change.mutate()}
      />
    </>
  );
}

const BanDialog = lazyComponent(async () => ({
  default: (await import("../../posts/community-moderation.tsx")).CommunityBanDialog,
}));

function BanButton({ name, member: { username, displayName } }: MemberProps) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="danger"
        aria-label={t("communities.banNamed", { name: fullName(username, displayName) })}
        onClick={() => setOpen(true)}
      >
        {t("communities.ban")}
      </Button>
      {isOpen && <BanDialog community={name} username={username} displayName={displayName} onClose={close} />}
    </>
  );
}
