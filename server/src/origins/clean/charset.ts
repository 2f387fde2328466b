/** The bytes of a document that are searched for a charset declaration. */
const PROLOGUE = 1024;

/**
 * Decodes a document. The charset comes from the byte order mark, `Content-Type`, or an XML declaration or `meta` element,
 * in that order, and is UTF-8 by default. Invalid bytes become replacement characters.
 */
export function decode(bytes: Buffer, contentType: string | null): string {
  return decoderFor(bytes, contentType).decode(bytes);
}

function decoderFor(bytes: Buffer, contentType: string | null): TextDecoder {
  const labels = [fromMark(bytes), parameterOf(contentType), fromItself(bytes)];
  for (const label of labels) {
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
  // UTF-16 without a declaration, recognized by the first tag.
  if (start.startsWith("<\0")) return "utf-16le";
  return start.startsWith("\0<") ? "utf-16be" : null;
}

/** Null if the charset is unknown. */
function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}
