/** A change to a field: what replaces its characters from `from` to `to`, and what is selected then. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  selection: [number, number];
}

/** A field's text and what is selected in it. */
export interface Selected {
  value: string;
  start: number;
  end: number;
}

/** Puts marks around the selected text, or takes them away. */
export function wrap({ value, start, end }: Selected, mark: string): Edit {
  const { length } = mark;
  const isWrapped =
    start >= length && value.slice(start - length, start) === mark && value.slice(end, end + length) === mark;
  const text = value.slice(start, end);
  return isWrapped
    ? { from: start - length, to: end + length, insert: text, selection: [start - length, end - length] }
    : { from: start, to: end, insert: mark + text + mark, selection: [start + length, end + length] };
}

/** Code in a line, or a block of code if several lines are selected. */
export function code(selected: Selected): Edit {
  const { value, start, end } = selected;
  const text = value.slice(start, end);
  if (!text.includes("\n")) return wrap(selected, "`");
  const before = start === 0 || value[start - 1] === "\n" ? "```\n" : "\n```\n";
  const insert = `${before}${text.replace(/\n$/, "")}\n\`\`\`\n`;
  return { from: start, to: end, insert, selection: [start + before.length, start + insert.length - 5] };
}

/** Makes the selected text a link, and selects what is missing: its address, or the text of a selected address. */
export function link({ value, start, end }: Selected): Edit {
  const text = value.slice(start, end);
  if (/^https?:\/\/\S+$/i.test(text))
    return { from: start, to: end, insert: `[](${text})`, selection: [start + 1, start + 1] };
  const address = "https://";
  const at = start + text.length + 3;
  return { from: start, to: end, insert: `[${text}](${address})`, selection: [at, at + address.length] };
}

/** Begins each selected line with a mark, or takes it away if all have it. */
export function prefix({ value, start, end }: Selected, mark: string): Edit {
  const from = value.lastIndexOf("\n", start - 1) + 1;
  const next = value.indexOf("\n", end);
  const to = next < 0 ? value.length : next;
  const lines = value.slice(from, to).split("\n");
  const isPrefixed = lines.every((line) => line.startsWith(mark));
  const insert = lines.map((line) => (isPrefixed ? line.slice(mark.length) : mark + line)).join("\n");
  const isCaret = start === end;
  const caret = Math.max(from, start + (isPrefixed ? -mark.length : mark.length));
  return { from, to, insert, selection: isCaret ? [caret, caret] : [from, from + insert.length] };
}

/** The mark of a list's item: spaces, a bullet or a number, and at least one space. */
const itemMark = /^( *)(?:[-*+]|(\d{1,9})([.)])) +/;

/** Begins a list's next item, or ends the list at an item without text; null if the caret is in no item. */
export function nextItem({ value, start, end }: Selected): Edit | null {
  const from = value.lastIndexOf("\n", start - 1) + 1;
  const before = value.slice(from, start);
  const [mark, indent = "", number, sign] = itemMark.exec(before) ?? [];
  if (mark === undefined || start !== end || isInCodeBlock(value.slice(0, from))) return null;
  const rest = value.slice(start).split("\n", 1)[0] ?? "";
  if (before === mark && rest.trim() === "")
    return { from, to: start + rest.length, insert: "", selection: [from, from] };
  const next = number === undefined ? mark : `${indent}${Number(number) + 1}${sign} `;
  const caret = start + 1 + next.length;
  return { from: start, to: start, insert: `\n${next}`, selection: [caret, caret] };
}

const isInCodeBlock = (before: string) => (before.match(/^ {0,3}(```|~~~)/gm) ?? []).length % 2 === 1;

/** Changes a field as if the change were typed, so that it can be undone and reaches the field's handlers. */
export function apply(field: HTMLTextAreaElement, { from, to, insert, selection }: Edit): void {
  field.focus();
  field.setSelectionRange(from, to);
  // The standard has no other way to add to the history of changes.
  const isDone = document.execCommand(insert === "" ? "delete" : "insertText", false, insert);
  if (!isDone) {
    field.setRangeText(insert, from, to, "end");
    field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertReplacementText" }));
  }
  field.setSelectionRange(...selection);
}
