import { MarkdownText } from "./markdown-text.tsx";
import { UserText } from "./user-text.tsx";

/** The body of a post. Native ones are Markdown; imported ones were converted to plain text, in which `@name` may be someone else's. */
export function BodyText({
  text,
  isMarkdown,
  highest,
  className,
}: {
  text: string;
  isMarkdown: boolean;
  /** The level of the text's highest heading. */
  highest: number;
  className?: string;
}) {
  return isMarkdown ? (
    <MarkdownText text={text} highest={highest} className={className} />
  ) : (
    <UserText text={text} mentions={false} className={className} />
  );
}
