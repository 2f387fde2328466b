import type { Post } from "@tandem/contract/post-resources";
import { useText } from "../i18n/use-text.tsx";
import { creatorAddress } from "../shared/addresses.ts";
import { asideRow } from "../ui/aside.tsx";
import { Link } from "../ui/link.tsx";
import { AuthorAvatar } from "./author-avatar.tsx";

/** A post's author, as a row of an aside. */
export function AuthorRow({ post }: { post: Post }) {
  const { t } = useText();
  return (
    <Link to={creatorAddress(post)} className={asideRow}>
      <AuthorAvatar post={post} size="small" />
      <span className="min-w-0">
        <span className="theirs-line block text-sm font-semibold">{post.authorName ?? post.author}</span>
        <span className="theirs-line block text-sm text-soft">
          {post.platform === "native" ? `@${post.author}` : t(`platform.${post.platform}`)}
          {post.authorIsAgent && ` · ${t("card.agent")}`}
        </span>
      </span>
    </Link>
  );
}
