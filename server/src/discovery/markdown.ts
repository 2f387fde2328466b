/**
 * Untrusted text as a code span on one line. Nothing in it can act as markup, because the delimiters are longer than any
 * run of backticks within.
 */
export function codeSpan(text: string): string {
  const line = text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, " ");
  const ticks = longerThanAny(line, 1);
  const padded = /^[` ]|[` ]$/.test(line) || line === "" ? ` ${line} ` : line;
  return ticks + padded + ticks;
}

/** Untrusted text as a code block, unchanged except for line endings. */
export function codeBlock(text: string, language = "text"): string {
  const fence = longerThanAny(text, 3);
  return `${fence}${language}\n${text.replace(/\r\n?/g, "\n")}\n${fence}`;
}

function longerThanAny(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), least));
}

export function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function markdownList(items: string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}
