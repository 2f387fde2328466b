import { canWait } from "@tandem/contract/approval";
import { PendingResponse } from "@tandem/contract/drafts";
import { type ErrorCode, errors } from "@tandem/contract/errors";
import { docsOf, hintOf } from "@tandem/contract/hints";
import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import { isWrite, type Operation } from "@tandem/contract/operation";
import { ErrorBody } from "@tandem/contract/resources";
import { errorCodesByStatus } from "./error-codes.ts";
import { exampleOf } from "./examples.ts";
import { errorHeaders, headersOf } from "./headers.ts";
import type { Json, Schemas } from "./schemas.ts";

const errorBody: Operation["response"] = ErrorBody;
const pendingResponse: Operation["response"] = PendingResponse;

/** Describes the responses of operations. Error responses that several operations share are described once. */
export class Responses {
  readonly named: Record<string, Json> = {};
  readonly #schemas: Schemas;
  readonly #baseUrl: string;

  constructor(schemas: Schemas, baseUrl: string) {
    this.#schemas = schemas;
    this.#baseUrl = baseUrl;
  }

  of(op: Operation): Json {
    return { ...this.#success(op), ...this.#errors(op), default: this.#error(op, ["internal"]) };
  }

  #success(op: Operation): Json {
    if (op.redirects) return { 302: this.#redirect(op) };
    if (op.streams) return { 200: this.#stream(op) };
    const content = { "application/json": { schema: this.#response(op), example: exampleOf(op.response) } };
    const headers = headersOf(op);
    if (isWrite(op)) return { 200: { description: "Success.", headers, content }, ...this.#pending(op) };
    return {
      200: { description: "Success.", headers, content },
      304: { description: "Not modified.", headers },
    };
  }

  #pending(op: Operation): Json {
    if (!canWait(op.name)) return {};
    const content = {
      "application/json": {
        schema: this.#schemas.show(pendingResponse),
        example: exampleOf(pendingResponse),
      },
    };
    const description =
      "Not done yet: the key's owner must approve the draft first. Only for keys that require approval.";
    return { 202: { description, headers: headersOf(op), content } };
  }

  /** OpenAPI can't describe events, so an example shows the data of each. */
  #stream(op: Operation): Json {
    const { properties = {} }: JsonSchemaNode = op.response;
    const events = Object.entries(properties);
    const example = events
      .map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(exampleOf(data))}\n\n`)
      .join("");
    const names = events.map(([event]) => `\`${event}\``).join(" and ");
    const schema = {
      type: "string",
      description: `Events named ${names}. The data of each is JSON on a single line.`,
    };
    const content = { "text/event-stream": { schema, example } };
    return { description: "A stream of events that stays open.", headers: headersOf(op), content };
  }

  /** The contract's `location` describes the header of a redirect. */
  #redirect(op: Operation): Json {
    const { properties }: JsonSchemaNode = op.response;
    const { location = {} } = properties ?? {};
    const Location = { required: true, schema: this.#schemas.show(location), example: exampleOf(location) };
    return { description: "Redirects to `Location`.", headers: { Location, ...headersOf(op) } };
  }

  #response(op: Operation): Json {
    const shown = this.#schemas.show(op.response);
    if (!isWrite(op)) return shown;
    const dryRun = { type: "boolean", const: true, description: "Present in the response to a dry run." };
    return { ...shown, properties: { ...(shown.properties as Json), dryRun } };
  }

  #errors(op: Operation): Json {
    return Object.fromEntries(
      errorCodesByStatus(op).map(([status, codes]) => [status, this.#error(op, codes)]),
    );
  }

  /** One response per set of codes, named after them. Those of writes have quota headers in addition. */
  #error(op: Operation, codes: ErrorCode[]): Json {
    const [status = 500] = codes.map((code) => errors[code].status);
    const headers = errorHeaders(op, status, codes);
    const name = [isWrite(op) ? "write" : "read", ...codes].join(".");
    this.named[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${errors[code].description}`).join("\n\n"),
      headers,
      content: {
        "application/json": { schema: this.#schemas.show(errorBody), examples: this.#examples(codes) },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }

  #examples(codes: ErrorCode[]): Json {
    const field = exampleOf(ErrorBody.properties.field);
    const body = (code: ErrorCode) => ({
      error: errors[code].description,
      code,
      ...(code === "invalid_input" && {
        field,
        errors: [{ field, code, error: errors[code].description }],
      }),
      hint: hintOf(code),
      docs: docsOf(this.#baseUrl, code),
    });
    return Object.fromEntries(codes.map((code) => [code, { value: body(code) }]));
  }
}
