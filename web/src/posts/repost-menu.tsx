import type { Post } from "@tandem/contract/post-resources";
import { useQueryClient } from "@tanstack/react-query";
import { Quote, Repeat2 } from "lucide-react";
import type { ReactElement } from "react";
import { useMe } from "../data/me.ts";
import { changePost } from "../data/posts.ts";
import { useAction } from "../data/use-action.ts";
import { useText } from "../i18n/use-text.tsx";
import { useNavigate } from "../router/provider.tsx";
import { composeAddress } from "../shared/addresses.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";

/** Reposts a post or takes that back, or begins a post that quotes it. */
export default function RepostMenu({ post, button }: { post: Post; button: ReactElement }) {
  const { t } = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id, platform, author, reposted = false, quotePolicy } = post;
  const isOwn = useMe()?.username === author && platform === "native";
  const repost = useAction((api, on: boolean) => (on ? api.repostPost({ id }) : api.unrepostPost({ id })), {
    onSuccess: ({ reposted: isNow, repostCount }) =>
      changePost(queryClient, id, ({ reposted: _, repostCount: __, ...rest }) => ({
        ...rest,
        ...(isNow && { reposted: true as const }),
        ...(repostCount > 0 && { repostCount }),
      })),
  });
  return (
    <Menu button={button} defaultOpen>
      <MenuItem
        icon={<Repeat2 className="size-4.5 shrink-0" aria-hidden="true" />}
        onSelect={() => repost.mutate(!reposted)}
      >
        {t(reposted ? "card.unrepost" : "card.repost")}
      </MenuItem>
      {(quotePolicy !== "nobody" || isOwn) && (
        <MenuItem
          icon={<Quote className="size-4.5 shrink-0" aria-hidden="true" />}
          onSelect={() => void navigate({ to: composeAddress, search: { quote: String(id) } })}
        >
          {t("card.quote")}
        </MenuItem>
      )}
    </Menu>
  );
}
