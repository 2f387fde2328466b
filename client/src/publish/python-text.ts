/** Characters of a line. */
const WIDTH = 110;

/** A docstring of a method or, with less `indent`, of a class. The paragraph after the first one follows an empty line. */
export function docstring(paragraphs: readonly string[], indent = "        "): string[] {
  const lines = paragraphs.flatMap((text, at) => [...(at === 1 ? [""] : []), ...wrap(text)]);
  const escaped = lines.map((line) => line.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"'));
  const [first = "", ...more] = escaped;
  const indented = more.map((line) => (line === "" ? "" : `${indent}${line}`));
  if (more.length === 0) return [`${indent}"""${first}"""`];
  return [`${indent}"""${first}`, ...indented, `${indent}"""`];
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH - 12)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
