import type { Community } from "@tandem/contract/communities";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { rememberForAfterLogin, useAfterLogin } from "../../data/after-login.ts";
import { communityChanged, isMember } from "../../data/communities.ts";
import { topicsChanged } from "../../data/followed-topics.ts";
import { useMe } from "../../data/me.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useAddress } from "../../router/provider.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { LazyConfirmDialog } from "../../ui/lazy-confirm-dialog.tsx";

/** Joins or leaves. An owner can only leave a closed community. */
export function JoinButton({ community }: { community: Community }) {
  const { t } = useText();
  const me = useMe();
  const queryClient = useQueryClient();
  const currentPath = useAddress().href;
  const { name, role, closed } = community;
  const hasJoined = isMember(community);
  const change = useAction(
    (api, join: boolean) => (join ? api.joinCommunity({ name }) : api.leaveCommunity({ name })),
    {
      onSuccess: ({ community: changed }) => {
        communityChanged(queryClient, changed);
        void topicsChanged(queryClient);
      },
    },
  );
  const action = `join ${name}`;
  useAfterLogin(action, () => change.mutate(true));
  const [isAsking, setAsking] = useState(false);
  if ((role === "owner" && !closed) || role === "banned" || (closed && !hasJoined)) return null;
  if (!me)
    return (
      <ButtonLink
        to="/login"
        search={{ next: currentPath }}
        variant="primary"
        onClick={() => rememberForAfterLogin(action)}
      >
        {t("communities.join")}
      </ButtonLink>
    );
  const isOwner = role === "owner";
  return (
    <>
      <Button
        variant={hasJoined ? "secondary" : "primary"}
        busy={change.isPending}
        onClick={() => (isOwner ? setAsking(true) : change.mutate(!hasJoined))}
      >
        {t(hasJoined ? "communities.leave" : "communities.join")}
      </Button>
      {isOwner && (
        <LazyConfirmDialog
          open={isAsking}
          onClose={() => setAsking(false)}
          title={t("communities.leaveOwnTitle")}
          action={t("communities.leave")}
          description={t("communities.leaveOwnDescription")}
          busy={change.isPending}
          onConfirm={() => change.mutate(false)}
        />
      )}
    </>
  );
}
