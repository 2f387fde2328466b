/**
 * Text as data on one line: nothing in it is markup, for a code span is as long as its delimiters say, and these are
 * longer than any run of backticks within.
 */
export function codeSpan(text: string): string {
  const line = text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, " ");
  const ticks = longerThanAny(line, 1);
  const padded = /^[` ]|[` ]$/.test(line) || line === "" ? ` ${line} ` : line;
  return ticks + padded + ticks;
}

/** Text as data over several lines, to the letter but for how lines end. */
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
