import { parseInlines } from "./inlines.ts";
import { Line } from "./line.ts";
import { type Container, OpenBlocks } from "./open-blocks.ts";
import type { Block } from "./tree.ts";

const HEADING = /^(#{1,6})[ \t]+(.*)$/;
const HEADING_END = /(?:^|(?<![ \t])[ \t]+)#+[ \t]*$/;
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const FENCE = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/;
const MARKER = /^(?:([*+-])|(\d{1,9})([.)]))(?=[ \t]|$)/;
/** From here on, indentation doesn't begin a block. */
const FAR = 4;

/** Finds the blocks of a text by CommonMark's algorithm, except that indented text isn't code, and underlined text isn't a heading. */
export function parseBlocks(lines: readonly string[]): Block[] {
  const open = new OpenBlocks();
  const [document] = open.containers;
  for (const line of lines) addLine(open, new Line(line));
  open.closeLeaf();
  return document?.children ?? [];
}

function addLine(open: OpenBlocks, line: Line): void {
  const matched = countContinued(open, line);
  const isWhole = matched === open.containers.length;
  if (isWhole && open.leaf?.kind === "code") addCode(open, line);
  else if (line.isBlank) {
    open.closeTo(matched);
    open.isAfterBlank = open.containers.at(-1)?.kind !== "quote";
    return;
  } else addContent(open, line, matched);
  open.isAfterBlank = false;
}

/** Reads the markup that continues open containers, and returns how many it continues. */
function countContinued({ containers }: OpenBlocks, line: Line): number {
  const end = containers.findIndex((container) => !continues(container, line));
  return end < 0 ? containers.length : end;
}

function continues(container: Container, line: Line): boolean {
  if (container.kind === "quote") return skipQuoteMark(line);
  if (container.kind !== "item") return true;
  if (line.isBlank) return container.children.length > 0;
  if (line.indent < container.width) return false;
  line.skipIndent(container.width);
  return true;
}

function skipQuoteMark(line: Line): boolean {
  const { indent } = line;
  if (indent >= FAR || line.rest.charAt(line.rest.search(/[^ \t]/)) !== ">") return false;
  line.skipIndent(indent);
  line.skip(1);
  line.skipIndent(1);
  return true;
}

function addCode(open: OpenBlocks, line: Line): void {
  const { leaf } = open;
  if (leaf?.kind !== "code") return;
  const end = line.indent < FAR ? /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(line.rest)?.[1] : undefined;
  if (end?.startsWith(leaf.fence)) open.closeLeaf();
  else {
    line.skipIndent(leaf.indent);
    leaf.lines.push(line.rest);
  }
}

function addContent(open: OpenBlocks, line: Line, matched: number): void {
  let at = matched;
  let isNew = false;
  while (line.indent < FAR) {
    const { indent } = line;
    line.skipIndent(indent);
    const isInParagraph = !isNew && at === open.containers.length && open.leaf?.kind === "paragraph";
    if (isInParagraph && open.openTable(line.rest)) return;
    if (addLeaf(open, line, at, indent)) return;
    if (open.isDeepest || !openContainer(open, line, at, indent, isInParagraph)) break;
    at = open.containers.length;
    isNew = true;
    if (line.isBlank) return;
  }
  addText(open, trimmed(line.rest), at, isNew);
}

/** A space after a backslash stays, or the backslash would be at the end of the line, where it is markup. */
const trimmed = (text: string) =>
  text
    .replace(/^[ \t]+/, "")
    .replace(/(?<=(\\?))(?<![ \t])[ \t]+$/, (_, before) => (before === "" ? "" : " "));

function addText(open: OpenBlocks, text: string, at: number, isNew: boolean): void {
  const { leaf } = open;
  // Also if markup of containers is missing, as in a quote of which only the first line is marked.
  if (!isNew && leaf?.kind === "paragraph") leaf.lines.push(text);
  else if (!isNew && leaf?.kind === "table" && at === open.containers.length) open.addRow(text);
  else {
    open.closeTo(at);
    open.openParagraph(text);
  }
}

/** A heading, a rule, or the beginning of code. */
function addLeaf(open: OpenBlocks, { rest }: Line, at: number, indent: number): boolean {
  const [, marks = "", afterMarks = ""] = HEADING.exec(rest) ?? [];
  const words = afterMarks.replace(HEADING_END, "").trim();
  const [, ticks, ticksInfo, tildes, tildesInfo] = FENCE.exec(rest) ?? [];
  const fence = ticks ?? tildes;
  if (words === "" && !fence && !RULE.test(rest)) return false;
  open.closeTo(at);
  if (fence) open.openCode(fence, (ticksInfo ?? tildesInfo ?? "").trim(), indent);
  else if (words === "") open.add({ kind: "rule" });
  else open.add({ kind: "heading", level: marks.length, children: parseInlines(words) });
  return true;
}

/** The beginning of a quote or list item. */
function openContainer(
  open: OpenBlocks,
  line: Line,
  at: number,
  indent: number,
  isInParagraph: boolean,
): boolean {
  if (line.rest.startsWith(">")) {
    open.closeTo(at);
    skipQuoteMark(line);
    open.openQuote();
    return true;
  }
  const [marker, bullet, number, end] = MARKER.exec(line.rest) ?? [];
  if (marker === undefined) return false;
  const isEmpty = line.rest.slice(marker.length).trim() === "";
  // Otherwise a line that begins with "1986. What a year!" would make a list of a paragraph.
  if (isInParagraph && (isEmpty || (number !== undefined && Number(number) !== 1))) return false;
  open.closeTo(at);
  line.skip(marker.length);
  const space = isEmpty || line.indent > FAR ? 1 : line.indent;
  line.skipIndent(space);
  open.openItem(
    bullet ?? end ?? "",
    number === undefined ? null : Number(number),
    indent + marker.length + space,
  );
  return true;
}
