import type { Community } from "@tandem/contract/communities";
import { useQueryClient } from "@tanstack/react-query";
import { rememberForAfterLogin, useAfterLogin } from "../../data/after-login.ts";
import { communityChanged, isMember } from "../../data/communities.ts";
import { topicsChanged } from "../../data/followed-topics.ts";
import { useMe } from "../../data/me.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useAddress } from "../../router/provider.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";

/** Joins or leaves. An owner can't leave. */
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
  if (role === "owner" || role === "banned" || (closed && !hasJoined)) return null;
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
  return (
    <Button
      variant={hasJoined ? "secondary" : "primary"}
      busy={change.isPending}
      onClick={() => change.mutate(!hasJoined)}
    >
      {t(hasJoined ? "communities.leave" : "communities.join")}
    </Button>
  );
}
