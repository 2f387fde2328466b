import type { Post } from "@tandem/contract/post-resources";
import { postAddress } from "../shared/addresses.ts";
import { asideRow } from "../ui/aside.tsx";
import { AccountName, Byline, BylineAuthor, BylineItem } from "../ui/byline.tsx";
import { Link } from "../ui/link.tsx";
import { ProvenanceBadge } from "../ui/provenance-badge.tsx";
import { Time } from "../ui/time.tsx";
import { AuthorAvatar } from "./author-avatar.tsx";
import { usePostName } from "./post-name.ts";

/** A post in three or four lines, in a list next to something else. */
export function PostRow({ post }: { post: Post }) {
  return (
    <li>
      <Link to={postAddress(post.id)} className={asideRow}>
        <AuthorAvatar post={post} size="small" />
        <span className="min-w-0">
          <span className="theirs line-clamp-2 text-sm font-semibold">{usePostName(post)}</span>
          <Byline>
            <BylineAuthor>
              <AccountName account={post} nameClass="" />
            </BylineAuthor>
            <BylineItem>
              <Time isAge at={post.postedAt} />
            </BylineItem>
            {/* On a line of its own in every row, however long the names are. */}
            <BylineItem dot={false} className="basis-full">
              <ProvenanceBadge {...post} short />
            </BylineItem>
          </Byline>
        </span>
      </Link>
    </li>
  );
}
