import { beginningOf } from "@tandem/contract/markdown/beginning";
import type { Post } from "@tandem/contract/post-resources";
import { textParts } from "@tandem/contract/text-parts";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { Link } from "../ui/link.tsx";
import { excerptParts } from "./excerpt-parts.ts";
import { Blocks } from "./markdown-text.tsx";
import { usePostName } from "./post-name.ts";
import { TextParts } from "./user-text.tsx";

/** How much of a text a card shows: less of one that has a title. */
const lengths = { titled: { characters: 280, lines: 5 }, untitled: { characters: 560, lines: 9 } };

/**
 * A card's title and, unless it has a content warning, the beginning of its text. The title's link covers the whole card, below its other links and buttons, and clicks on
 * the text pass through to it. So a click anywhere opens the post, and the link's name is only the title.
 */
export function PostText({ post, titleId }: { post: Post; titleId: string }) {
  const { id, title, body, platform, contentWarning } = post;
  const name = usePostName(post);
  const titleParts = textParts(title ?? "", platform === "native");
  const hasLinks = titleParts.some(({ kind }) => kind !== "text");
  // The warning, which is below, names a post without a title of its own.
  const isShown = title === null ? body === null && contentWarning === undefined : title !== contentWarning;
  const link = (
    <Link
      to={postAddress(id)}
      data-act="open"
      className={
        isShown && !hasLinks
          ? "after:absolute after:inset-0 after:-z-1 after:rounded-card hover:underline"
          : "absolute inset-0 -z-1 rounded-card"
      }
    >
      {isShown && !hasLinks ? name : <span className="sr-only">{name}</span>}
    </Link>
  );
  return (
    <div className="pointer-events-none [&_a]:pointer-events-auto">
      {hasLinks && link}
      <h2 id={titleId} className="theirs text-lg leading-snug font-semibold">
        {/* A link can't contain others. */}
        {hasLinks ? <TextParts parts={titleParts} /> : link}
      </h2>
      {body !== null && contentWarning === undefined && <Excerpt post={post} text={body} name={name} />}
    </div>
  );
}

/** The beginning of a post's text, without the title. */
export function PostExcerpt({ post }: { post: Post }) {
  const name = usePostName(post);
  if (post.body === null) return null;
  return (
    <div className="pointer-events-none [&_a]:pointer-events-auto">
      <Excerpt post={post} text={post.body} name={name} />
    </div>
  );
}

function Excerpt({ post, text, name }: { post: Post; text: string; name: string }) {
  const isTitled = post.title !== null;
  const extent = lengths[isTitled ? "titled" : "untitled"];
  const className = isTitled ? "mt-1 text-soft" : "";
  const more = <ReadMore id={post.id} name={name} />;
  if (post.platform === "native") {
    const { blocks, isCut } = beginningOf(text, extent);
    return <Blocks blocks={blocks} className={className} ending={isCut ? more : undefined} />;
  }
  const { parts, isCut } = excerptParts(text, { mentions: false, ...extent });
  return (
    <p className={`theirs whitespace-pre-line ${className}`}>
      <TextParts parts={parts} />
      {isCut && more}
    </p>
  );
}

function ReadMore({ id, name }: { id: number; name: string }) {
  const { t } = useText();
  return (
    <>
      {"… "}
      <Link to={postAddress(id)} className="font-medium whitespace-nowrap text-accent hover:underline">
        {t("card.readMore")}
        <span className="sr-only"> {name}</span>
      </Link>
    </>
  );
}
