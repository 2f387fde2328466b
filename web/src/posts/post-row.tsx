import type { Post } from "@tandem/contract/post-resources";
import { postAddress } from "../shared/addresses.ts";
import { asideRow } from "../ui/aside.tsx";
import { Link } from "../ui/link.tsx";
import { ProvenanceBadge } from "../ui/provenance-badge.tsx";
import { Time } from "../ui/time.tsx";
import { AuthorAvatar } from "./author-avatar.tsx";
import { usePostName } from "./post-name.ts";

/** A post in two or three lines, in a list next to something else. */
export function PostRow({ post }: { post: Post }) {
  return (
    <li>
      <Link to={postAddress(post.id)} className={asideRow}>
        <AuthorAvatar post={post} size="small" />
        <span className="min-w-0">
          <span className="theirs line-clamp-2 text-sm font-semibold">{usePostName(post)}</span>
          <span className="flex flex-wrap items-center gap-x-2 text-sm text-soft">
            <span className="theirs-line block">
              {post.authorName ?? post.author} · <Time isAge at={post.postedAt} />
            </span>
            <ProvenanceBadge {...post} short />
          </span>
        </span>
      </Link>
    </li>
  );
}
