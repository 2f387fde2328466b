import type { Post } from "@tandem/contract/post-resources";
import { Repeat2 } from "lucide-react";
import { type ComponentProps, type ComponentType, type ReactElement, useState } from "react";
import { useMe } from "../data/me.ts";
import { useToasts } from "../data/toasts.ts";
import { useLoadOnDemand } from "../i18n/use-load-on-demand.ts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { Link } from "../ui/link.tsx";
import { Count } from "../ui/time.tsx";

type RepostMenu = ComponentType<{ post: Post; button: ReactElement }>;

/** Opens the menu to repost or quote a post, which is loaded on click, or earlier on hover. */
export function RepostButton({ post, className }: { post: Post; className: string }) {
  const [menu, setMenu] = useState<{ menu: RepostMenu } | null>(null);
  const { t } = useText();
  const me = useMe();
  const { showError } = useToasts();
  const loadOnDemand = useLoadOnDemand();
  const load = () => loadOnDemand(() => import("./repost-menu.tsx"));
  const { id, repostCount = 0, quoteCount = 0, reposted = false } = post;
  const label = t("post.share", { reposts: repostCount, quotes: quoteCount });
  const content = (
    <>
      <Repeat2 className="size-4.5" aria-hidden="true" />
      <span aria-hidden="true">
        <Count value={repostCount + quoteCount} />
      </span>
    </>
  );
  if (!me)
    return (
      <Link
        to="/login"
        search={{ next: postAddress(id) }}
        className={className}
        aria-label={label}
        title={label}
      >
        {content}
      </Link>
    );
  const button = (more: ComponentProps<"button"> = {}) => (
    <button
      type="button"
      className={reposted ? className.replace("text-soft hover:text-ink", "text-accent") : className}
      aria-label={label}
      title={label}
      {...more}
    >
      {content}
    </button>
  );
  if (menu) return <menu.menu post={post} button={button()} />;
  return button({
    "aria-haspopup": "menu",
    onPointerEnter: () => void load().catch(() => {}),
    onClick: () =>
      void load().then(
        (module) => setMenu({ menu: module.default }),
        () => showError(t("error.unreachable")),
      ),
  });
}
