import type { Post } from "@tandem/contract/post-resources";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Gavel, Pin, PinOff, ShieldMinus } from "lucide-react";
import { communityQuery, isStaff, pinsChanged } from "../data/communities.ts";
import { useMe } from "../data/me.ts";
import { removePost } from "../data/posts.ts";
import { useToasts } from "../data/toasts.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { useApi } from "../shared/context.ts";
import { fullName } from "../shared/full-name.ts";
import { MenuItem } from "../ui/menu.tsx";
import ModerationDialog, { type ModerationInput } from "./moderation-dialog.tsx";

type Placed = Pick<Post, "platform" | "community">;

/** The community of this service that a post is in. */
export const nativeCommunity = ({ platform, community }: Placed): string | null =>
  platform === "native" ? community : null;

/** The post's community, if the reader runs it. */
export function useModerated(post: Placed) {
  const me = useMe();
  const name = me !== null && me.role !== "agent" ? nativeCommunity(post) : null;
  const { data } = useQuery({ ...communityQuery(useApi(), name ?? ""), enabled: name !== null });
  return data && isStaff(data.community) ? data : null;
}

export type Moderated = NonNullable<ReturnType<typeof useModerated>>;

const icon = (Icon: typeof Pin) => <Icon className="size-4.5 shrink-0" aria-hidden="true" />;

/** Pins a post in its community, or unpins it. */
export function CommunityPinItem({
  id,
  moderated: { community, pinnedPostIds },
}: {
  id: number;
  moderated: Moderated;
}) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const { name } = community;
  const isPinned = pinnedPostIds.includes(id);
  const change = useAction(
    (api) => (isPinned ? api.unpinCommunityPost({ name, id }) : api.pinCommunityPost({ name, id })),
    {
      onSuccess: ({ pinned }) => {
        show(t(pinned ? "card.community.pinned" : "card.community.unpinned", { community: name }));
        return pinsChanged(queryClient, name);
      },
    },
  );
  return (
    <MenuItem icon={icon(isPinned ? PinOff : Pin)} onSelect={() => change.mutate()}>
      <span className="theirs">
        {t(isPinned ? "card.community.unpin" : "card.community.pin", { community: name })}
      </span>
    </MenuItem>
  );
}

/** Open dialogs that remove something of another account from a community, or ban the account. */
export function CommunityRemovalItems({
  community,
  author,
  onRemove,
  onBan,
}: {
  community: string;
  author: string;
  onRemove(): void;
  onBan(): void;
}) {
  const { t } = useText();
  return (
    <>
      <MenuItem icon={icon(ShieldMinus)} danger onSelect={onRemove}>
        <span className="theirs">{t("card.community.remove", { community })}</span>
      </MenuItem>
      <MenuItem icon={icon(Gavel)} danger onSelect={onBan}>
        <span className="theirs">{t("card.community.ban", { name: `@${author}`, community })}</span>
      </MenuItem>
    </>
  );
}

interface DialogProps {
  community: string;
  onClose(): void;
}

/** Removes a post or a comment from a community. */
export function CommunityRemovalDialog({
  community: name,
  kind,
  id,
  onRemoved,
  onClose,
}: DialogProps & { kind: "post" | "comment"; id: number; onRemoved?: (() => void) | undefined }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const remove = useAction(
    (api, { reason }: ModerationInput) =>
      kind === "post"
        ? api.removeCommunityPost({ name, id, reason })
        : api.removeCommunityComment({ name, id, reason }),
    {
      inlineErrors: true,
      onSuccess: (_, { done }) => {
        done();
        onClose();
        if (kind === "post") removePost(queryClient, id);
        void queryClient.invalidateQueries({ queryKey: ["communities"] });
        show(t("card.community.removed", { community: name }));
        onRemoved?.();
      },
    },
  );
  return (
    <ModerationDialog
      draftKey={`community.remove.${kind}.${id}`}
      title={t("card.community.remove", { community: name })}
      action={t("card.community.removeAction")}
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={(input) => remove.mutate(input)}
    />
  );
}

/** Bans an account from a community. */
export function CommunityBanDialog({
  community: name,
  username,
  displayName,
  onClose,
}: DialogProps & { username: string; displayName: string | null | undefined }) {
  const { t } = useText();
  const { show } = useToasts();
  const queryClient = useQueryClient();
  const person = fullName(username, displayName);
  const ban = useAction(
    (api, { reason, until }: ModerationInput) =>
      api.banFromCommunity({ name, username, reason, ...(until && { until }) }),
    {
      inlineErrors: true,
      onSuccess: (_, { done }) => {
        done();
        onClose();
        void queryClient.invalidateQueries({ queryKey: ["communities"] });
        show(t("card.community.banned", { name: person, community: name }));
      },
    },
  );
  return (
    <ModerationDialog
      draftKey={`community.ban.${name}.${username}`}
      title={t("card.community.ban", { name: person, community: name })}
      action={t("card.community.banAction")}
      hasTerm
      busy={ban.isPending}
      error={ban.error}
      onClose={onClose}
      onSubmit={(input) => ban.mutate(input)}
    />
  );
}
