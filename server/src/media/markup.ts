/**
 * Whether a file is a polyglot that also works as text: HTML, SVG or PHP. Searches the whole file, because even encoded
 * pixels can be crafted to spell markup. Requires more text after the tag, so that pixels rarely match by chance. Tags
 * of XMP, which many pictures contain, don't match.
 */
export function containsMarkup(bytes: Buffer): boolean {
  return MARKUP.test(bytes.toString("latin1"));
}

/** Random data of ten million bytes matches about once in a hundred thousand files. */
const MARKUP = /<(?:!doctype|html|script|svg|iframe|body|\?php)[\s/>](?:[\t\n\r -~]{6}|[\t\n\r -~]*$)/i;
