/** The request that a curl command sends. */
export interface CurlRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Parsed JSON body, if any. */
  body: Record<string, unknown> | null;
}

/** The requests of the curl commands in the shell blocks of a Markdown text. */
export function requestsIn(markdown: string): CurlRequest[] {
  const blocks = [...markdown.matchAll(/^```(?:sh|bash|shell)?\n(.*?)^```/gms)].map(([, code]) =>
    String(code),
  );
  const lines = blocks.flatMap((code) => code.replace(/\\\n\s*/g, " ").split("\n"));
  return lines.filter((line) => line.startsWith("curl ")).flatMap((line) => requestOf(wordsIn(line)) ?? []);
}

/** Splits a line into words like a shell; quoted text is one word. */
function wordsIn(line: string): string[] {
  const words = line.match(/(?:'(?:[^']|'\\'')*'|"[^"]*"|\S)+/g) ?? [];
  return words.map((word) =>
    word
      .replace(/^(['"])(.*)\1$/s, "$2")
      .replaceAll("'\\''", "'")
      .replace(/'"(\$\w+)"'/g, "$1"),
  );
}

function requestOf(words: string[]): CurlRequest | null {
  const request: CurlRequest = { method: "", url: "", headers: {}, body: null };
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? "";
    if (/^https?:/.test(word)) request.url = word;
    if (word === "-X") request.method = next;
    if (word === "-d" || word === "--data") request.body = objectIn(next);
    const header = word === "-H" ? /^([^:]+): *(.*)$/.exec(next) : null;
    if (header?.[1]) request.headers[header[1].toLowerCase()] = header[2] ?? "";
  }
  request.method ||= request.body ? "POST" : "GET";
  return URL.canParse(request.url) ? request : null;
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
