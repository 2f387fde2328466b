import type { Alignment } from "./tree.ts";

/** The line below a table's head, such as `| --- | :-: |`, without space around it. No two runs of spaces may touch: that takes quadratic time. */
const RULE = /^\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*(?:[ \t]*\|)?$/;

/** The alignments of a table's columns if this line follows its head, otherwise null. */
export function alignmentsOf(line: string, head: string | undefined): Alignment[] | null {
  if (!line.includes("|") || !head?.includes("|") || !RULE.test(line.trim())) return null;
  const alignments = cellsOf(line).map(alignmentOf);
  return alignments.length === cellsOf(head).length ? alignments : null;
}

function alignmentOf(cell: string): Alignment {
  const [isLeft, isRight] = [cell.startsWith(":"), cell.endsWith(":")];
  if (isLeft && isRight) return "center";
  return isLeft ? "left" : isRight ? "right" : null;
}

/** A row's cells. A `|` in one is written `\|`, even in code. */
export function cellsOf(line: string): string[] {
  const row = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return row.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}
