import { expect, test } from "vitest";
import { nextItem } from "./markdown-edits.ts";

/** The text after Enter at its `|`, with the caret; null if Enter only breaks the line. */
function entered(text: string): string | null {
  const start = text.indexOf("|");
  const value = text.replace("|", "");
  const edit = nextItem({ value, start, end: start });
  if (!edit) return null;
  const after = value.slice(0, edit.from) + edit.insert + value.slice(edit.to);
  return `${after.slice(0, edit.selection[0])}|${after.slice(edit.selection[1])}`;
}

test.each([
  ["- wool|", "- wool\n- |"],
  ["  * wo|ol", "  * wo\n  * |ol"],
  ["9. wool|\nrest", "9. wool\n10. |\nrest"],
  ["1) wool|", "1) wool\n2) |"],
  ["- wool\n- |", "- wool\n|"],
  ["- wool\n-   |  \nrest", "- wool\n|\nrest"],
  ["wool|", null],
  ["-|", null],
  ["|- wool", null],
  ["-wool|", null],
  ["```\n- wool|", null],
  ["```\n```\n- wool|", "```\n```\n- wool\n- |"],
])("Enter in %j", (before, after) => expect(entered(before)).toBe(after));
