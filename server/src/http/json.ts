import { limits } from "@tandem/contract/limits";
import { ApiError } from "./api-error.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** How errors about JSON name what they are about. */
interface JsonNames {
  /** The field whose value the JSON is; none for a body. */
  whole?: string;
  /** The fields of the object in it that are known. */
  fields?: readonly string[];
}

/** Parses JSON that a client sent. Throws an `ApiError`, also if the JSON is too complex. */
export function parseJson(bytes: Buffer, names: JsonNames = {}): unknown {
  boundJson(bytes, names);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new ApiError("invalid_json", undefined, { cause });
  }
}

/**
 * Throws an `ApiError` for JSON that nests too deep or has too many fields. Within a body's size, such JSON takes a second to
 * parse and validate, during which the service does nothing else; this takes a few milliseconds. The error names the known field that
 * nests too deep, or else the field whose value the whole is.
 */
export function boundJson(bytes: Buffer, { whole, fields = [] }: JsonNames = {}): void {
  let depth = 0;
  let count = 0;
  /** Where the last text is. Before a colon, it is a key. */
  let text: [number, number] = [0, 0];
  let key: string | undefined;
  const tooComplex = (message: string, field: string | undefined) =>
    new ApiError("invalid_input", message, {
      field: field ?? whole,
      // The hint for a field would mislead.
      ...(field === undefined && { hint: OF_WHOLE }),
    });
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        text = [at + 1, endOfText(bytes, at)];
        at = text[1];
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        depth += 1;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth -= 1;
        break;
      case COLON:
        count += 1;
        if (depth === 1) key = bytes.toString("utf8", ...text);
    }
    if (depth > limits.jsonDepth)
      throw tooComplex(
        `JSON can nest at most ${limits.jsonDepth} levels deep.`,
        fields.find((name) => name === key),
      );
    if (count > limits.jsonFields)
      throw tooComplex(
        `JSON can have at most ${limits.jsonFields} fields, those of nested objects included.`,
        undefined,
      );
  }
}

const OF_WHOLE =
  "This is about the JSON as a whole, not about one field: send only fields that the operation takes, and nothing else in them.";

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The position of the quote that ends the text which begins at `start`; the end of the bytes without one. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
