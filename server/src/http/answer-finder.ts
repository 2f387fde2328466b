import type { Operation } from "@tandem/contract/operation";
import type { Caller } from "./caller.ts";
import { Content } from "./content.ts";
import { type Context, JsonText } from "./context.ts";
import { type InputValidator, inputValidatorOf } from "./input-validator.ts";
import type { Answer } from "./known-answers.ts";
import { ReadContext, type ReadRequest } from "./read-context.ts";
import { serializer } from "./serialize.ts";
import type { Services } from "./services.ts";
import { trimmerOf } from "./trim.ts";

export type AnyHandler = (ctx: Context<never>, input: never) => Promise<object>;

/** Finds out the answers of an operation that only reads. */
export class AnswerFinder {
  readonly op: Operation;
  readonly #services: Services;
  readonly #handler: AnyHandler;
  readonly #validator: InputValidator;
  readonly #asJson: (response: object, input: Record<string, unknown>) => JsonText;

  constructor(services: Services, op: Operation, handler: AnyHandler) {
    this.op = op;
    this.#services = services;
    this.#handler = handler;
    this.#validator = inputValidatorOf(op);
    this.#asJson = jsonOf(op);
  }

  /**
   * The answer for a caller who may use the operation, and until when it holds if nothing is committed, in milliseconds since 1970. Throws
   * `ApiError`.
   */
  async find(request: ReadRequest, caller: Caller | null): Promise<{ answer: Answer; until: number }> {
    const { params, url, route } = request;
    const input = this.#validator.validate({ params, query: queryOf(url), body: null }, caller);
    const ctx = new ReadContext(this.#services, request, caller);
    const json = this.#asJson(await this.#handler(ctx as Context as Context<never>, input as never), input);
    const content = new Content(json.pieces, "fast", json.tag);
    return { answer: { op: this.op, route, caller, content, link: ctx.link }, until: ctx.until };
  }
}

/** Serializes an operation's responses, reduced to the requested fields. */
export function jsonOf(op: Operation): (response: object, input: Record<string, unknown>) => JsonText {
  const trim = trimmerOf(op);
  return (response, { fields }) => {
    const json = response instanceof JsonText ? response : new JsonText(serializer(op.response)(response));
    return typeof fields === "string" && trim ? trim(json, fields) : json;
  };
}

/** Everything after the first `?`. */
export function queryOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at + 1);
}
