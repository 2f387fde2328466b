import type { LastFeed } from "../../data/last-feed.ts";
import { useText } from "../../i18n/use-text.tsx";
import { BodyText } from "../../posts/body-text.tsx";
import { PostByline } from "../../posts/post-byline.tsx";
import { fullNameOf } from "../../shared/full-name.ts";

/** The feed that the reader saw last, to read without a network. Pictures and buttons would need one. */
export default function LastFeedList({ feed: { posts, at } }: { feed: LastFeed }) {
  const { t, locale } = useText();
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(at);
  return (
    <section aria-labelledby="last-feed" className="column max-w-2xl pb-8">
      <h2 id="last-feed" className="px-4 pb-3 font-semibold sm:px-0">
        {t("public.lastFeed", { time })}
      </h2>
      <ul className="flex flex-col gap-2 sm:gap-4">
        {posts.map((post) => {
          const { title, body } = post;
          const heading =
            title ??
            (body === null
              ? t("card.untitled", { author: fullNameOf({ ...post, displayName: post.authorName }) })
              : null);
          return (
            <li key={post.id} className="card-flush flex flex-col gap-3 p-4">
              <PostByline post={post} />
              {heading !== null && <h3 className="theirs text-lg leading-snug font-semibold">{heading}</h3>}
              {body !== null && <BodyText text={body} isMarkdown={post.platform === "native"} highest={4} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
