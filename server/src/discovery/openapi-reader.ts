import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Json } from "./schemas.ts";

const HOME = "https://tandem.test/openapi";

/** Reads the OpenAPI document as a client would, without the contract. For tests. */
export class OpenApiReader {
  readonly document: Json;
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats,
    // Each schema is compiled once and validates few responses, so compiling must be fast.
    inlineRefs: false,
    code: { optimize: false },
  });

  readonly #validators = new Map<string, ValidateFunction>();
  #operations: Map<string, string> | undefined;

  constructor(document: object) {
    this.document = JSON.parse(JSON.stringify(document)) as Json;
    this.#ajv.addSchema(this.document, HOME);
  }

  /** The value at a JSON pointer; undefined if there is none. */
  at(pointer: string): unknown {
    const names = pointer.split("/").slice(1).map(unescapePointer);
    return names.reduce<unknown>((node, name) => (node as Json | undefined)?.[name], this.document);
  }

  /** The pointer itself, or the target of the reference at it. */
  follow(pointer: string): string {
    const reference = (this.at(pointer) as Json | undefined)?.$ref;
    return typeof reference === "string" ? reference.slice(1) : pointer;
  }

  /** A validator for the schema at a JSON pointer. */
  validator(pointer: string): ValidateFunction {
    // Ajv would compile the whole schema again each time.
    const known = this.#validators.get(pointer);
    if (known) return known;
    const validator = this.#ajv.compile({ $ref: `${HOME}#${encodeURI(pointer)}` });
    this.#validators.set(pointer, validator);
    return validator;
  }

  /** Every object in the document, with its pointer. */
  *nodes(pointer = "", node: unknown = this.document): Generator<[string, Json]> {
    if (typeof node !== "object" || node === null) return;
    if (!Array.isArray(node)) yield [pointer, node as Json];
    for (const [name, child] of Object.entries(node)) {
      yield* this.nodes(`${pointer}/${escapePointer(name)}`, child);
    }
  }

  /** The pointer of each operation, by its id. */
  get operations(): ReadonlyMap<string, string> {
    this.#operations ??= this.#findOperations();
    return this.#operations;
  }

  #findOperations(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [path, methods] of Object.entries(this.document.paths as Record<string, Json>)) {
      for (const [method, operation] of Object.entries(methods)) {
        found.set(String((operation as Json).operationId), `/paths/${escapePointer(path)}/${method}`);
      }
    }
    return found;
  }

  /** The pointer of an operation's response with this status, even if it isn't described. */
  response(operation: string, status: number): string {
    return this.follow(`${this.operations.get(operation)}/responses/${status}`);
  }
}

const formats = {
  uri: (value: string) => URL.canParse(value),
  email: /^[^@\s]+@[^@\s]+$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
};

export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescapePointer(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
