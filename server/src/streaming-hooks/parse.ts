import type { StreamEvent } from "../features/live/on-air.ts";
import { ApiError, invalid } from "../http/api-error.ts";
import { parseQuery } from "../http/input-validator.ts";
import { parseJson } from "../http/json.ts";

/** Event names of streaming servers, and what each means. */
const words: Record<string, StreamEvent["type"]> = {
  // nginx-rtmp
  publish: "begins",
  update_publish: "runs",
  publish_done: "ends",
  // SRS
  on_publish: "begins",
  on_hls: "runs",
  on_unpublish: "ends",
};

type Fields = Record<string, unknown>;

/** Parses a hook of any supported streaming server. Throws an {@link ApiError}. */
export function readSign(type: string, body: Buffer): StreamEvent {
  const [kind = ""] = type.toLowerCase().split(";");
  switch (kind.trim()) {
    case "application/x-www-form-urlencoded":
      return fromForm(parseQuery(body.toString()));
    case "application/json":
      return fromJson(parse(body));
    default:
      throw new ApiError("unsupported_media_type", "Send a form or JSON.");
  }
}

/**
 * Parses nginx-rtmp's form. It includes the query parameters of the stream's name; duplicate fields were rejected before,
 * so a streamer can't override the server's own fields.
 */
function fromForm(form: Fields): StreamEvent {
  const [stream, key, client] = ["name", "key", "clientid"].map((name) => textIn(form, name)) as Texts;
  const type = meant(form, "call");
  // The stream's position in milliseconds. A stream that froze before its first frame would otherwise stay live forever.
  return { type: type === "runs" && form.timestamp === "0" ? "waits" : type, stream, key, client };
}

type Texts = [stream: string, key: string, client: string];

/** Parses the JSON of SRS, which names a `stream`, and of MediaMTX's authentication, which names a `path`. */
function fromJson(body: Fields): StreamEvent {
  const bySrs = body.path === undefined;
  const [name, query, id] = bySrs ? ["stream", "param", "client_id"] : ["path", "query", "id"];
  const stream = textIn(body, name as string).replace(/^.*\//s, "");
  const key = textIn(parseQuery(textIn(body, query as string).replace(/^\?/, "")), "key");
  return { type: meant(body, "action"), stream, key, client: textIn(body, id as string) };
}

function meant(fields: Fields, name: string): StreamEvent["type"] {
  const word = textIn(fields, name);
  const type = Object.hasOwn(words, word) ? words[word] : undefined;
  if (type) return type;
  throw invalid(name, `${name} must be one of ${Object.keys(words).join(", ")}.`);
}

/** A field as text that both databases accept. Some SRS versions send connection ids as numbers. */
function textIn(fields: Fields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if ((typeof value === "string" && /^[^\0]{1,2000}$/su.test(value)) || Number.isSafeInteger(value))
    return String(value);
  throw invalid(name, `${name} must be a text.`);
}

function parse(body: Buffer): Fields {
  const value = parseJson(body);
  if (typeof value === "object" && value !== null) return value as Fields;
  throw new ApiError("invalid_json");
}
