import { useQueryClient } from "@tanstack/react-query";
import { Check, Plus } from "lucide-react";
import { rememberForAfterLogin, useAfterLogin } from "../../data/after-login.ts";
import { type CreatorRef, changeFollowing, readProfileAgain } from "../../data/creators.ts";
import { useMe } from "../../data/me.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useAddress } from "../../router/provider.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";

/** Follows or unfollows, optimistically. */
export function FollowButton({
  creator: { platform, author, following },
  name,
}: {
  creator: CreatorRef & { following: boolean };
  /** Set where there are several of these buttons. */
  name?: string;
}) {
  const { t } = useText();
  const me = useMe();
  const queryClient = useQueryClient();
  const currentPath = useAddress().href;
  const creator = { platform, author };
  const follow = useAction(
    (api, shouldFollow: boolean) => (shouldFollow ? api.follow(creator) : api.unfollow(creator)),
    {
      optimistic: (shouldFollow) => changeFollowing(queryClient, creator, shouldFollow),
      onSuccess: () => {
        void readProfileAgain(queryClient, creator);
        void queryClient.invalidateQueries({ queryKey: ["creators", "follows"] });
        // The feed of followed creators is outdated.
        queryClient.removeQueries({ queryKey: ["posts", "list", { followed: "1" }] });
      },
    },
  );
  const action = `follow ${platform}/${author}`;
  useAfterLogin(action, () => follow.mutate(true));
  if (!me)
    return (
      <ButtonLink
        to="/login"
        search={{ next: currentPath }}
        variant="primary"
        onClick={() => rememberForAfterLogin(action)}
      >
        <Plus className="size-4" aria-hidden="true" />
        {t("creators.follow")}
      </ButtonLink>
    );
  const Icon = following ? Check : Plus;
  const label = t(following ? "creators.following" : "creators.follow");
  return (
    <Button
      variant={following ? "secondary" : "primary"}
      aria-pressed={following}
      aria-label={name && `${label}: ${name}`}
      onClick={() => follow.mutate(!following)}
    >
      <Icon className="size-4" aria-hidden="true" />
      {label}
    </Button>
  );
}
