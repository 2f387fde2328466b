import { hiddenCharacter } from "@tandem/contract/hidden-text";
import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";
import type { Operation } from "@tandem/contract/operation";
import fc from "fast-check";
import type { TObject } from "typebox";
import { badJson, badSegments, badTexts } from "./bad-values.ts";

/** Arbitrary valid input of an operation. */
export function goodInput({ params, query, body }: Operation): fc.Arbitrary<Record<string, unknown>> {
  // `.` and `..` would change the path.
  const place = fields(params).filter(
    (values) => !Object.values(values).some((value) => /^\.\.?$/.test(value)),
  );
  return fc
    .tuple(place, ...[query, body].map(fields))
    .map((parts) => Object.assign({}, ...parts) as Record<string, unknown>);
}

function fields(schema: TObject): fc.Arbitrary<object> {
  const model = Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, value(property as JsonSchemaNode)]),
  );
  return fc.record(model, { requiredKeys: schema.required ?? [] });
}

/** A field of an operation and an invalid value for it: JSON in the body, otherwise text. */
export function badField({ params, query, body }: Operation): fc.Arbitrary<{ name: string; value: unknown }> {
  const inPath = Object.entries(params.properties).map(
    ([name, schema]) => [name, badSegments(schema)] as const,
  );
  const inQuery = Object.entries(query.properties).map(([name, schema]) => [name, badTexts(schema)] as const);
  const inJson = Object.entries(body.properties);
  return fc.oneof(
    ...[...inPath, ...inQuery].map(([name, texts]) =>
      fc.record({ name: fc.constant(name), value: fc.constantFrom(...texts) }),
    ),
    ...inJson.map(([name, schema]) =>
      fc.record({ name: fc.constant(name), value: fc.constantFrom(...repeatable(badJson(schema))) }),
    ),
  );
}

/** Values that survive a JSON round trip; other tests send the rest as raw text. */
function repeatable(texts: string[]): unknown[] {
  return texts
    .filter((text) => text.length < 100_000 && !text.includes("e400"))
    .map((text) => JSON.parse(text));
}

function value(schema: JsonSchemaNode): fc.Arbitrary<unknown> {
  const options = alternatives(schema).map((node) => {
    if (node.enum) return fc.constantFrom(...node.enum);
    switch (node.type) {
      case "string":
        return text(node);
      case "integer":
        return integer(node);
      case "number":
        return fc.double({ noNaN: true, noDefaultInfinity: true });
      case "boolean":
        return fc.boolean();
      case "object":
        return fc.record(
          Object.fromEntries(
            Object.entries(node.properties ?? {}).map(([name, part]) => [name, value(part)]),
          ),
          { requiredKeys: node.required ?? [] },
        );
      case "array":
        return list(node);
      default:
        return fc.constant(null);
    }
  });
  return fc.oneof(...options);
}

function list({
  items = {},
  minItems = 0,
  maxItems = 5,
  uniqueItems,
}: JsonSchemaNode): fc.Arbitrary<unknown[]> {
  const bounds = { minLength: minItems, maxLength: maxItems };
  return uniqueItems ? fc.uniqueArray(value(items), bounds) : fc.array(value(items), bounds);
}

/** Favors small numbers, which are likely to be existing ids. */
function integer({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchemaNode): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) }),
    fc.maxSafeInteger().map((any) => minimum + (Math.abs(any) % (maximum - minimum + 1))),
  );
}

function text({ minLength = 0, maxLength = 1000, pattern, format }: JsonSchemaNode): fc.Arbitrary<string> {
  if (format === "date-time")
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString());
  if (format === "date")
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString().slice(0, 10));
  if (format === "email") return fc.emailAddress();
  if (format === "web-address") return address().filter((url) => [...url].length <= maxLength);
  if (pattern && !anyText.test(pattern)) return words(pattern, minLength, maxLength);
  const character = fc.oneof(anyCharacter, fc.constantFrom(...odd));
  const isLine = pattern?.endsWith(".*$") ?? false;
  const fits = (one: string) =>
    (format === "any-text" ? one !== "\0" : hiddenCharacter(one) === null) &&
    !(isLine && /[\n\r\u2028\u2029]/.test(one));
  return fc
    .string({ unit: character.filter(fits), minLength, maxLength })
    .filter((any) => pattern === undefined || new RegExp(pattern, "u").test(any));
}

/** Shared, because fast-check makes a table of all characters for each of these. */
const anyCharacter = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });

/** Matches patterns that only require a non-blank character, or a single line. */
const anyText = /^\^?\\S|\.\*\$$/;

function words(pattern: string, min: number, max: number): fc.Arbitrary<string> {
  return fc.stringMatching(new RegExp(pattern)).filter(({ length }) => length >= min && length <= max);
}

/** Characters that often break searching, storing or displaying text. */
const odd = [..."%_'\"\\*-()<>&\u{1f600}\u0301\u200d\u202e\ufeff\uffff\u0001\n\r\t İßſ"];

function address(): fc.Arbitrary<string> {
  const tails = ["", "/ü€", "?q=😀", "#né", "/%zz", "/a|b^c`{}", "/'\"<>"];
  return fc.tuple(fc.webUrl(), fc.constantFrom(...tails)).map(([url, tail]) => url + tail);
}
