import { hostShown } from "@tandem/contract/markdown/host-shown";
import { parseInlines } from "@tandem/contract/markdown/inlines";
import type { Inline, Labelled } from "@tandem/contract/markdown/tree";
import { OutboundLink } from "../ui/link.tsx";
import { linkClass, Part } from "./user-text.tsx";

/** A text that is one paragraph, so only markup within lines counts: a bio, or a line in a chat. */
export function InlineText({ text, className = "" }: { text: string; className?: string }) {
  return (
    <p dir="auto" className={`theirs whitespace-pre-line ${className}`}>
      <Inlines inlines={parseInlines(text)} />
    </p>
  );
}

export function Inlines({ inlines }: { inlines: readonly Inline[] }) {
  return inlines.map((inline, i) => <InlineView key={String(i)} inline={inline} />);
}

const names = { strong: "strong", emphasis: "em", deleted: "del" } as const;

function InlineView({ inline }: { inline: Inline }) {
  if (typeof inline === "string") return inline;
  if (inline.kind === "labelled") return <LabelledLink link={inline} />;
  if (inline.kind === "code")
    return <code className="rounded bg-sunken px-1 py-0.5 text-[0.9em] text-ink">{inline.text}</code>;
  if ("text" in inline) return <Part part={inline} />;
  const Name = names[inline.kind];
  return (
    <Name>
      <Inlines inlines={inline.children} />
    </Name>
  );
}

/** A text that looks like the address of another page doesn't hide where the link leads. */
function LabelledLink({ link }: { link: Labelled }) {
  const { href, title, children } = link;
  const host = hostShown(link);
  return (
    <>
      <OutboundLink href={href} className={linkClass} {...(title !== "" && { title })}>
        <Inlines inlines={children} />
      </OutboundLink>
      {host !== null && <span className="text-soft"> ({host})</span>}
    </>
  );
}
