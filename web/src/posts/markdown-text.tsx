import { outlineOf } from "@tandem/contract/markdown/outline";
import { parseMarkdown } from "@tandem/contract/markdown/parse";
import type { Alignment, Block, Inline } from "@tandem/contract/markdown/tree";
import { createContext, type ReactNode, use } from "react";
import { Inlines } from "./markdown-inlines.tsx";

/** A Markdown text: a native post, comment or message. It becomes elements, never HTML. */
export function MarkdownText({
  text,
  ...rest
}: { text: string } & Omit<Parameters<typeof Blocks>[0], "blocks">) {
  return <Blocks blocks={parseMarkdown(text)} {...rest} />;
}

/** The level of each heading. */
const Outline = createContext<ReadonlyMap<Block, number>>(new Map());

/** Blocks of a text. `highest` is the level of its highest heading, below those of the page. `ending` follows the last word. */
export function Blocks({
  blocks,
  highest = 3,
  className = "",
  ending,
}: {
  blocks: readonly Block[];
  highest?: number;
  className?: string;
  ending?: ReactNode;
}) {
  return (
    <Outline value={outlineOf(blocks, highest)}>
      <div className={`theirs flex flex-col gap-[0.75em] ${className}`}>
        <BlockList blocks={blocks} ending={ending} />
      </div>
    </Outline>
  );
}

interface Ended {
  ending?: ReactNode;
}

function BlockList({
  blocks,
  isLoose = true,
  ending,
}: Ended & { blocks: readonly Block[]; isLoose?: boolean }) {
  const last = blocks.length - 1;
  if (blocks.length === 0) return ending;
  return blocks.map((block, i) => (
    <BlockView key={String(i)} block={block} isLoose={isLoose} ending={i === last ? ending : undefined} />
  ));
}

function BlockView({ block, isLoose, ending }: Ended & { block: Block; isLoose: boolean }) {
  switch (block.kind) {
    case "paragraph":
      return <Paragraph block={block} isLoose={isLoose} ending={ending} />;
    case "quote":
      return (
        <blockquote dir="auto" className="flex flex-col gap-[0.75em] border-s-2 border-edge ps-3 text-soft">
          <BlockList blocks={block.children} ending={ending} />
        </blockquote>
      );
    case "list":
      return <List block={block} ending={ending} />;
    default:
      return (
        <>
          <Whole block={block} />
          {ending !== undefined && <p>{ending}</p>}
        </>
      );
  }
}

type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

function Paragraph({ block, isLoose, ending }: Ended & { block: BlockOf<"paragraph">; isLoose: boolean }) {
  const content = (
    <>
      <Inlines inlines={block.children} />
      {ending}
    </>
  );
  return isLoose ? (
    <p dir="auto" className="theirs whitespace-pre-line">
      {content}
    </p>
  ) : (
    <span className="theirs block whitespace-pre-line">{content}</span>
  );
}

function List({ block: { start, isLoose, items }, ending }: Ended & { block: BlockOf<"list"> }) {
  const Name = start === null ? "ul" : "ol";
  const last = items.length - 1;
  return (
    <Name
      dir="auto"
      {...(start !== null && start !== 1 && { start })}
      className={`flex flex-col ps-6 ${start === null ? "list-disc" : "list-decimal"} ${isLoose ? "gap-[0.75em]" : "gap-[0.2em]"}`}
    >
      {items.map((item, i) => (
        <li key={String(i)}>
          <div className={`flex flex-col ${isLoose ? "gap-[0.75em]" : "gap-[0.2em]"}`}>
            <BlockList blocks={item} isLoose={isLoose} ending={i === last ? ending : undefined} />
          </div>
        </li>
      ))}
    </Name>
  );
}

/** A block that contains no others. */
function Whole({ block }: { block: Block }) {
  if (block.kind === "heading") return <Heading block={block} />;
  if (block.kind === "code") return <Code block={block} />;
  if (block.kind === "table") return <Table block={block} />;
  return <hr />;
}

const headings = ["h2", "h3", "h4", "h5", "h6"] as const;

function Heading({ block }: { block: BlockOf<"heading"> }) {
  const Name = headings[(use(Outline).get(block) ?? 3) - 2] ?? "h6";
  return (
    <Name dir="auto" className={`theirs leading-snug font-bold ${block.level < 3 ? "text-[1.125em]" : ""}`}>
      <Inlines inlines={block.children} />
    </Name>
  );
}

/** Long lines wrap, so that you don't have to scroll sideways. */
function Code({ block: { info, text } }: { block: BlockOf<"code"> }) {
  return (
    <div className="rounded-lg bg-sunken px-3 py-2 text-[0.875em] text-ink">
      {info !== "" && <p className="theirs pb-1 text-[0.875em] text-soft">{info}</p>}
      <pre className="font-mono whitespace-pre-wrap">
        <code>{text}</code>
      </pre>
    </div>
  );
}

const sides = { left: "text-left", center: "text-center", right: "text-right" };

function Table({ block: { align, rows } }: { block: BlockOf<"table"> }) {
  const [head = [], ...body] = rows;
  return (
    <table dir="auto" className="w-fit border-collapse text-[0.9375em]">
      <thead>
        <tr>
          {head.map((cell, i) => (
            <Cell key={String(i)} as="th" align={align[i]} inlines={cell} />
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, i) => (
          <tr key={String(i)}>
            {row.map((cell, column) => (
              <Cell key={String(column)} as="td" align={align[column]} inlines={cell} />
            ))}
            {row.length < align.length && <td colSpan={align.length - row.length} className="border" />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({
  as: Name,
  align,
  inlines,
}: {
  as: "th" | "td";
  align: Alignment | undefined;
  inlines: readonly Inline[];
}) {
  return (
    <Name
      dir="auto"
      className={`border px-2 py-1 align-top ${align ? sides[align] : "text-start"} ${Name === "th" ? "font-semibold" : ""}`}
    >
      <Inlines inlines={inlines} />
    </Name>
  );
}
