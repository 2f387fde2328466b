import { isAscii } from "node:buffer";
import { detectCharset } from "./detect-charset.ts";

/** The bytes of a document that are searched for a charset declaration. */
const PROLOGUE = 1024;

/**
 * Decodes a document. The charset comes from the byte order mark. Otherwise what is valid UTF-8 is UTF-8, whatever it
 * declares; anything else has the charset of `Content-Type`, or of an XML declaration or `meta` element, if the bytes fit
 * it, and is guessed if they don't. Invalid bytes become replacement characters.
 */
export function decode(bytes: Buffer, contentType: string | null): string {
  const shape = shapeOf(bytes);
  if (shape) return new TextDecoder(shape).decode(bytes);
  const isPlain = isAscii(bytes);
  const utf8 = isPlain ? null : validUtf8(bytes);
  if (utf8 !== null) return utf8;
  const candidates = [parameterOf(contentType), declarationIn(bytes)].flatMap(
    (label) => decoderOf(label) ?? [],
  );
  // ISO-2022-JP is all ASCII, with escape sequences.
  if (!isPlain || !bytes.includes("\x1b$")) candidates.push(new TextDecoder());
  for (const decoder of candidates) {
    const text = decoder.decode(bytes);
    if (fits(text, decoder, bytes)) return text;
  }
  const guessed = decoderOf(detectCharset(bytes)) ?? new TextDecoder("windows-1252");
  return guessed.decode(bytes);
}

/** UTF-8 or UTF-16 by the byte order mark, or UTF-16 by the first tag; else null. */
function shapeOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  const start = bytes.toString("latin1", 0, 2);
  if (start === "<\0") return "utf-16le";
  return start === "\0<" ? "utf-16be" : null;
}

function parameterOf(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType ?? "")?.[1] ?? null;
}

function declarationIn(bytes: Buffer): string | null {
  const start = bytes.toString("latin1", 0, PROLOGUE);
  const declared =
    /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/i.exec(start) ??
    /<meta[^>]*?\scharset\s*=\s*["']?([^\s"'/>;]+)/i.exec(start);
  return declared?.[1] ?? null;
}

/** Null if the charset is unknown. */
function decoderOf(label: string | null): TextDecoder | null {
  try {
    return label === null ? null : new TextDecoder(label);
  } catch {
    return null;
  }
}

/** Null if it isn't UTF-8. A character may be cut off at the end. */
function validUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** Whether bytes can be in a decoder's charset: at most half of what isn't ASCII is invalid. */
function fits(text: string, { encoding }: TextDecoder, bytes: Buffer): boolean {
  if (encoding.startsWith("utf-16")) return bytes.includes(0);
  let [replaced, other] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd) replaced++;
    else if (code > 0x7f) other++;
  }
  return replaced <= other;
}
