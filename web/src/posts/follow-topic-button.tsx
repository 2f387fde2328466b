import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Plus } from "lucide-react";
import { rememberForAfterLogin, useAfterLogin } from "../data/after-login.ts";
import {
  followedCommunitiesQuery,
  followedTagsQuery,
  isFollowed,
  type Topic,
  topicsChanged,
} from "../data/followed-topics.ts";
import { useMe } from "../data/me.ts";
import { useAction } from "../data/use-action.ts";
import type { TextKey } from "../i18n/keys.ts";
import { useText } from "../i18n/use-text.tsx";
import { useAddress } from "../router/provider.tsx";
import { useApi } from "../shared/context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";

/** Follows or unfollows a hashtag or community: its posts are in the feed of those the reader follows. */
export default function FollowTopicButton({
  topic,
  texts,
}: {
  topic: Topic;
  /** The texts of the page's area, for what it does and for what it has done. */
  texts: { follow: TextKey; following: TextKey };
}) {
  const { t } = useText();
  const me = useMe();
  const api = useApi();
  const queryClient = useQueryClient();
  const currentPath = useAddress().href;
  const isTag = "tag" in topic;
  const { data: tags } = useQuery({ ...followedTagsQuery(api), enabled: me !== null && isTag });
  const { data: communities } = useQuery({
    ...followedCommunitiesQuery(api),
    enabled: me !== null && !isTag,
  });
  const isFollowing = isFollowed(topic, { ...(tags && { tags }), ...(communities && { communities }) });
  const follow = useAction(
    (api, shouldFollow: boolean) => {
      if ("tag" in topic) return shouldFollow ? api.followTag(topic) : api.unfollowTag(topic);
      return shouldFollow ? api.followCommunity(topic) : api.unfollowCommunity(topic);
    },
    { onSuccess: () => topicsChanged(queryClient) },
  );
  const name = isTag ? `#${topic.tag}` : topic.community;
  const action = `follow topic ${isTag ? name : `${topic.platform}/${name}`}`;
  useAfterLogin(action, () => follow.mutate(true));
  const label = t(isFollowing ? texts.following : texts.follow);
  const named = `${label}: ${name}`;
  if (!me)
    return (
      <ButtonLink
        to="/login"
        search={{ next: currentPath }}
        aria-label={named}
        onClick={() => rememberForAfterLogin(action)}
      >
        <Plus className="size-4" aria-hidden="true" />
        {label}
      </ButtonLink>
    );
  const Icon = isFollowing ? Check : Plus;
  return (
    <Button
      aria-pressed={isFollowing}
      aria-label={named}
      busy={follow.isPending}
      disabled={(isTag ? tags : communities) === undefined}
      onClick={() => follow.mutate(!isFollowing)}
    >
      <Icon className="size-4" aria-hidden="true" />
      {label}
    </Button>
  );
}
