import type { StreamEvent } from "../features/live/on-air.ts";
import { ApiError, invalid } from "../http/api-error.ts";
import { parseQuery } from "../http/input-validator.ts";

/** What streaming servers call what they tell of, and how each of these words is meant. */
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

/** Reads what a streaming server says, in whichever of three ways. Throws a {@link ApiError} that names what is wrong. */
export function readSign(type: string, body: Buffer): StreamEvent {
  const [kind = ""] = type.toLowerCase().split(";");
  switch (kind.trim()) {
    case "application/x-www-form-urlencoded":
      return fromForm(parseQuery(body.toString()));
    case "application/json":
      return fromJson(parse(body));
    default:
      throw new ApiError("unsupported_media_type", "Send a form, or JSON.");
  }
}

/**
 * nginx-rtmp's: what followed a `?` in the stream's name stands among the fields. Whatever is there twice was refused
 * by then, so nobody who sends a stream says with it what is the server's to say.
 */
function fromForm(form: Fields): StreamEvent {
  const [stream, key, client] = ["name", "key", "clientid"].map((name) => textIn(form, name)) as Texts;
  const type = meant(form, "call");
  // How far the stream has come, in milliseconds: who froze before the first picture would be told of for ever.
  return { type: type === "runs" && form.timestamp === "0" ? "waits" : type, stream, key, client };
}

type Texts = [stream: string, key: string, client: string];

/** SRS's, and that in which MediaMTX asks whether a stream may be: the one names a `stream`, the other a `path` to it. */
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

/** A text that any engine takes; SRS has had numbers for connections. */
function textIn(fields: Fields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if ((typeof value === "string" && /^[^\0]{1,2000}$/su.test(value)) || Number.isSafeInteger(value))
    return String(value);
  throw invalid(name, `${name} must be a text.`);
}

function parse(body: Buffer): Fields {
  const value = parsed(body);
  if (typeof value === "object" && value !== null) return value as Fields;
  throw new ApiError("invalid_json");
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch (cause) {
    throw new ApiError("invalid_json", undefined, { cause });
  }
}
