/**
 * Whether a file is something else too, for who reads it as text: a web page, a drawing of vectors, a program for a web
 * server. Looked for wherever it may lie, among the coded pixels too, where a picture can be made to spell it; so that
 * they don't by chance, more text has to follow. XMP, which many pictures carry, has other tags.
 */
export function holdsMarkup(bytes: Buffer): boolean {
  return MARKUP.test(bytes.toString("latin1"));
}

/** In a noise of ten million bytes this is found once in some hundred thousand. */
const MARKUP = /<(?:!doctype|html|script|svg|iframe|body|\?php)[\s/>](?:[\t\n\r -~]{6}|[\t\n\r -~]*$)/i;
