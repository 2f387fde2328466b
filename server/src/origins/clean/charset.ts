/** So much of a document is looked at for what it says of its own charset. */
const PROLOGUE = 1024;

/**
 * The text of a document of any charset that browsers know: told by its mark of byte order, else by `Content-Type`, else by
 * itself, in an XML declaration or a `meta` element; else UTF-8. What fits no character becomes a mark of that.
 */
export function decode(bytes: Buffer, contentType: string | null): string {
  return decoderFor(bytes, contentType).decode(bytes);
}

function decoderFor(bytes: Buffer, contentType: string | null): TextDecoder {
  const told = [fromMark(bytes), parameterOf(contentType), fromItself(bytes)];
  for (const label of told) {
    const decoder = label === null ? null : decoderOf(label);
    if (decoder) return decoder;
  }
  return new TextDecoder();
}

function fromMark(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : null;
}

function parameterOf(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType ?? "")?.[1] ?? null;
}

function fromItself(bytes: Buffer): string | null {
  const start = bytes.subarray(0, PROLOGUE).toString("latin1");
  const declared =
    /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/i.exec(start) ??
    /<meta[^>]*?\scharset\s*=\s*["']?([^\s"'/>;]+)/i.exec(start);
  if (declared?.[1]) return /^utf-?16/i.test(declared[1]) ? "utf-8" : declared[1];
  // Two bytes for each character, of which the first documents' first are known.
  if (start.startsWith("<\0")) return "utf-16le";
  return start.startsWith("\0<") ? "utf-16be" : null;
}

/** Null where nobody knows such a charset. */
function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
