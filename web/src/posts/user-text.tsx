import { type TextPart, textParts } from "@tandem/contract/text-parts";
import { creatorAddress } from "../shared/addresses.ts";
import { Link, OutboundLink } from "../ui/link.tsx";

/** Text that isn't Markdown, such as imported posts, with its links, mentions and hashtags as links. It is never HTML. */
export function UserText({
  text,
  mentions = true,
  className = "",
}: {
  text: string;
  /** Whether `@name` is a local account. In imported posts it may be someone else's. */
  mentions?: boolean;
  className?: string;
}) {
  return (
    <div className={`theirs whitespace-pre-line ${className}`}>
      <TextParts parts={textParts(text, mentions)} />
    </div>
  );
}

export function TextParts({ parts }: { parts: readonly TextPart[] }) {
  return parts.map((part, i) => <Part key={String(i)} part={part} />);
}

/** Each takes its own direction: in a right-to-left text, the @ of a Latin name would move behind the name. */
export const linkClass =
  "[unicode-bidi:plaintext] text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent";

export function Part({ part: { kind, text } }: { part: TextPart }) {
  if (kind === "link")
    return (
      <OutboundLink href={text} className={linkClass}>
        {text}
      </OutboundLink>
    );
  if (kind === "mention")
    return (
      <Link to={creatorAddress({ platform: "native", author: text.slice(1) })} className={linkClass}>
        {text}
      </Link>
    );
  if (kind === "tag")
    return (
      <Link to="/search" search={{ q: text }} className={linkClass}>
        {text}
      </Link>
    );
  return text;
}
