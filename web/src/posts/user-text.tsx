import { creatorAddress } from "../shared/addresses.ts";
import { Link, OutboundLink } from "../ui/link.tsx";
import { type TextPart, textParts } from "./text-parts.ts";

/** What somebody wrote, as they wrote it: names, tags and addresses in it lead there, and nothing else happens to it. */
export function UserText({
  text,
  mentions = true,
  className = "",
}: {
  text: string;
  /** Whether an `@name` is an account of this service: elsewhere it may be somebody else's. */
  mentions?: boolean;
  className?: string;
}) {
  return (
    <div className={`theirs whitespace-pre-line ${className}`}>
      {textParts(text, mentions).map((part, i) => (
        <Part key={String(i)} part={part} />
      ))}
    </div>
  );
}

const linkClass = "text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent";

function Part({ part: { kind, text } }: { part: TextPart }) {
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
