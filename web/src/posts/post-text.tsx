import type { Post } from "@tandem/contract/post-resources";
import { useText } from "../i18n/use-text.tsx";
import { postAddress } from "../shared/addresses.ts";
import { Link } from "../ui/link.tsx";
import { postName } from "./post-name.ts";
import { excerptParts } from "./text-parts.ts";
import { TextParts } from "./user-text.tsx";

/** How much of a text a card shows: less of one that has a title. */
const lengths = { titled: { characters: 280, lines: 5 }, untitled: { characters: 560, lines: 9 } };

/**
 * A card's title and the beginning of its text. The title's link covers the whole card, below its other links and buttons, and clicks on
 * the text pass through to it. So a click anywhere opens the post, and the link's name is only the title.
 */
export function PostText({ post, titleId }: { post: Post; titleId: string }) {
  const { t } = useText();
  const { id, title, body, author, authorName } = post;
  const name = postName(post) ?? t("card.untitled", { author: authorName ?? author });
  const isShown = title !== null || body === null;
  return (
    <div className="pointer-events-none [&_a]:pointer-events-auto">
      <h2 id={titleId} className="theirs text-lg leading-snug font-semibold">
        <Link
          to={postAddress(id)}
          data-act="open"
          className={
            isShown
              ? "after:absolute after:inset-0 after:-z-1 after:rounded-card hover:underline"
              : "absolute inset-0 -z-1 rounded-card"
          }
        >
          {isShown ? name : <span className="sr-only">{name}</span>}
        </Link>
      </h2>
      {body !== null && <Excerpt post={post} text={body} name={name} />}
    </div>
  );
}

function Excerpt({ post: { id, title, platform }, text, name }: { post: Post; text: string; name: string }) {
  const { t } = useText();
  const { parts, isCut } = excerptParts(text, {
    mentions: platform === "native",
    ...lengths[title === null ? "untitled" : "titled"],
  });
  return (
    <p className={`theirs whitespace-pre-line ${title === null ? "" : "mt-1 text-soft"}`}>
      <TextParts parts={parts} />
      {isCut && (
        <>
          {"… "}
          <Link to={postAddress(id)} className="font-medium whitespace-nowrap text-accent hover:underline">
            {t("card.readMore")}
            <span className="sr-only"> {name}</span>
          </Link>
        </>
      )}
    </p>
  );
}
