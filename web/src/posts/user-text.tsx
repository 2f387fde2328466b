import { creatorAddress } from "../shared/addresses.ts";
import { Away, Link } from "../ui/link.tsx";
import { type TextPart, textParts } from "./text-parts.ts";

/** What somebody wrote, as they wrote it: names, tags and addresses in it lead there, and nothing else happens to it. */
export function TheirText({
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

const look = "text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent";

function Part({ part: { kind, text } }: { part: TextPart }) {
  if (kind === "link")
    return (
      <Away href={text} className={look}>
        {text}
      </Away>
    );
  if (kind === "mention")
    return (
      <Link to={creatorAddress({ platform: "native", author: text.slice(1) })} className={look}>
        {text}
      </Link>
    );
  if (kind === "tag")
    return (
      <Link to="/search" search={{ q: text }} className={look}>
        {text}
      </Link>
    );
  return text;
}
