import type { Post } from "@tandem/contract/post-resources";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMe } from "../data/me.ts";
import { feedQuery } from "../data/posts.ts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { useApi } from "../shared/context.ts";
import { Aside, AsideSection, asideRow } from "../ui/aside.tsx";
import { Link } from "../ui/link.tsx";
import { compactNumber } from "../ui/time.tsx";
import { usePostName } from "./post-name.ts";

const MAX_SHOWN = 5;

/** The reader's latest posts, and what became of them. */
export default function RecentPosts() {
  const { t } = useText();
  const me = useMe();
  const filters = { platform: "native" as const, author: me?.username ?? "" };
  const list = useInfiniteQuery({ ...feedQuery(useApi(), filters), enabled: me !== null });
  if (!list.data) return null;
  const posts = list.data.pages[0]?.posts ?? [];
  return (
    <Aside label={t("recentPosts.title")}>
      <AsideSection title={t("recentPosts.title")}>
        {posts.length === 0 && <p className="px-2 text-sm text-soft">{t("recentPosts.none")}</p>}
        {posts.slice(0, MAX_SHOWN).map((post) => (
          <RecentPost key={post.id} post={post} />
        ))}
      </AsideSection>
    </Aside>
  );
}

function RecentPost({ post }: { post: Post }) {
  const { t, locale } = useText();
  const { id, likeCount, commentCount } = post;
  const counts = [
    t("origin.likes", { count: likeCount, number: compactNumber(likeCount, locale) }),
    t("origin.comments", { count: commentCount, number: compactNumber(commentCount, locale) }),
  ];
  return (
    <Link to={postAddress(id)} className={asideRow}>
      <span className="min-w-0">
        <span className="theirs line-clamp-2 text-sm font-semibold">{usePostName(post)}</span>
        <span className="block text-sm text-soft">{counts.join(" · ")}</span>
      </span>
    </Link>
  );
}
