import { diffLines, diffWordsWithSpace } from "diff";

/** A piece of two compared texts. `left out`: unchanged text that isn't shown. */
export interface Piece {
  kind: "same" | "added" | "removed" | "left out";
  text: string;
}

/**
 * Words or lines that may differ. The time of a comparison grows with the square of this, and the server compares texts that
 * anyone wrote: ten pairs that differ everywhere take less than a fifth of a second.
 */
const maxEditLength = 120;
/** Unchanged characters shown next to a change. */
const CONTEXT = 160;

/** The difference between two texts: word by word; by lines if they differ much; whole if they have little in common. */
export function compare(before: string, after: string): Piece[] {
  const changes =
    diffWordsWithSpace(before, after, { maxEditLength }) ?? diffLines(before, after, { maxEditLength });
  if (!changes) return [...piece("removed", before), ...piece("added", after)];
  const runs = joinRuns(changes);
  return runs.flatMap((run, i) => [
    ...(run.same === "" ? [] : shortened(run.same, { isFirst: i === 0, isLast: run.isLast })),
    ...piece("removed", run.removed),
    ...piece("added", run.added),
  ]);
}

/** Unchanged text, and the change after it. */
interface Run {
  same: string;
  removed: string;
  added: string;
  /** Whether no change follows. */
  isLast: boolean;
}

interface Change {
  added: boolean;
  removed: boolean;
  value: string;
}

/** Changed words with only a space between them are one change: easier to read than each word on its own. */
function joinRuns(changes: readonly Change[]): Run[] {
  const runs: Run[] = [];
  let run: Run = { same: "", removed: "", added: "", isLast: true };
  for (const [i, { added, removed, value }] of changes.entries()) {
    const isChanged = run.removed !== "" || run.added !== "";
    if (added) run.added += value;
    else if (removed) run.removed += value;
    else if (isChanged && i < changes.length - 1 && /^[^\S\n]+$/.test(value)) {
      run.removed += value;
      run.added += value;
    } else {
      if (isChanged) runs.push({ ...run, isLast: false });
      run = { same: value, removed: "", added: "", isLast: true };
    }
  }
  const ends = run.removed === "" && run.added === "";
  return [...runs, { ...run, isLast: ends }];
}

function piece(kind: Piece["kind"], text: string): Piece[] {
  return text === "" ? [] : [{ kind, text }];
}

/** Leaves out what is far from any change. */
function shortened(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): Piece[] {
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  // Leaving out little would only be harder to read.
  if (text.length <= head + tail + CONTEXT) return piece("same", text);
  const start = wordEnd(text, head);
  const end = wordStart(text, text.length - tail);
  return [
    ...piece("same", text.slice(0, start)),
    { kind: "left out", text: text.slice(start, end) },
    ...piece("same", text.slice(end)),
  ];
}

/** The first end of a word at or after this index. */
function wordEnd(text: string, index: number): number {
  if (index === 0) return 0;
  const space = text.slice(index).search(/\s/);
  return space < 0 || space > CONTEXT / 4 ? whole(text, index) : index + space;
}

/** The last start of a word at or before this index. */
function wordStart(text: string, index: number): number {
  if (index === text.length) return index;
  const space = text.slice(0, index).search(/\s\S*$/);
  return space < 0 || space < index - CONTEXT / 4 ? whole(text, index) : space + 1;
}

/** An index that doesn't split a character of two units. */
function whole(text: string, index: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(index)) ? index + 1 : index;
}
