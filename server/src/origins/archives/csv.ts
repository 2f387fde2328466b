/**
 * Reads comma-separated values (RFC 4180): quoted fields may contain commas, line breaks and doubled quotes. Takes linear
 * time; an unclosed quote ends with the text.
 */
export function* csvRows(text: string): Generator<string[]> {
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    const { field, end } = text[at] === '"' ? quoted(text, at) : plain(text, at);
    row.push(field);
    at = end;
    if (text[at] === ",") {
      at += 1;
      // A comma at the end is followed by one more field, which is empty.
      if (at === text.length) row.push("");
      continue;
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    if (row.length > 1 || row[0] !== "") yield row;
    row = [];
  }
  if (row.length > 0) yield row;
}

function quoted(text: string, start: number) {
  const pieces: string[] = [];
  let from = start + 1;
  for (;;) {
    const close = text.indexOf('"', from);
    if (close < 0) return { field: pieces.join("") + text.slice(from), end: text.length };
    pieces.push(text.slice(from, close));
    if (text[close + 1] !== '"') {
      // What follows a closing quote by mistake belongs to the field.
      const rest = plain(text, close + 1);
      return { field: pieces.join("") + rest.field, end: rest.end };
    }
    pieces.push('"');
    from = close + 2;
  }
}

const END = /[,\r\n]/g;

function plain(text: string, start: number) {
  END.lastIndex = start;
  const end = END.exec(text)?.index ?? text.length;
  return { field: text.slice(start, end), end };
}

/** The rows of a table by the names in its first row, in lower case. */
export function* csvRecords(text: string): Generator<Record<string, string>> {
  let names: string[] | null = null;
  for (const row of csvRows(text)) {
    if (names === null) names = row.map((name) => name.trim().toLowerCase());
    else yield Object.fromEntries(names.map((name, i) => [name, row[i] ?? ""]));
  }
}

/** The names in a table's first row, in lower case. */
export function csvHeader(text: string): string[] {
  const [first = []] = csvRows(text.slice(0, 10_000));
  return first.map((name) => name.trim().toLowerCase());
}
