import type { Post } from "@tandem/contract/post-resources";
import { useText } from "../i18n/use-text.tsx";
import { communityTarget, postVersionsAddress } from "../shared/addresses.ts";
import { AccountLink, Byline, BylineAuthor, BylineItem } from "../ui/byline.tsx";
import { Link, OutboundLink } from "../ui/link.tsx";
import { ProvenanceBadge } from "../ui/provenance-badge.tsx";
import { Time } from "../ui/time.tsx";
import { AuthorAvatar } from "./author-avatar.tsx";
import { EditedLink } from "./edited-link.tsx";
import { importedOf, originalOf } from "./post-links.ts";

/** Who posted, when, where, and how much AI was involved. */
export function PostByline({ post }: { post: Post }) {
  const { id, platform, community, importedFrom, postedAt, editedAt } = post;
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3">
      <AuthorAvatar post={post} />
      <Byline>
        <BylineAuthor>
          <AccountLink account={post} />
        </BylineAuthor>
        <BylineItem>
          <Time isAge at={postedAt} />
        </BylineItem>
        {/* On phones, all else has a line of its own, the mark first, so that there is space for both names. */}
        <span className="contents min-w-0 max-sm:flex max-sm:basis-full max-sm:items-center">
          {editedAt !== null && (
            <BylineItem className="shrink-0">
              <EditedLink to={postVersionsAddress(id)} />
            </BylineItem>
          )}
          {community !== null && (
            <BylineItem className="max-w-max flex-[1_1_2.5rem]">
              <Link
                {...communityTarget({ platform, community })}
                aria-current={false}
                className="theirs-line inline-block min-h-6 leading-6 hover:underline"
              >
                {community}
              </Link>
            </BylineItem>
          )}
          {(platform !== "native" || importedFrom !== undefined) && (
            <BylineItem className="max-w-max flex-[100_1_2.5rem]">
              <PostSource post={post} />
            </BylineItem>
          )}
          <BylineItem dot={false} className="max-w-full shrink-0 max-sm:order-first">
            <ProvenanceBadge {...post} short="on phones" />
          </BylineItem>
        </span>
      </Byline>
    </div>
  );
}

function PostSource({ post }: { post: Post }) {
  const { t } = useText();
  const original = post.importedFrom ? importedOf(post) : originalOf(post);
  const source = t(`platform.${post.importedFrom ?? post.platform}`);
  if (!original) return source;
  return (
    <OutboundLink
      href={original}
      title={t("card.originalAt", { source })}
      className="min-h-6 truncate leading-6 hover:underline"
    >
      {source}
      <span aria-hidden="true" className="max-sm:hidden">
        {" "}
        ↗
      </span>
    </OutboundLink>
  );
}
