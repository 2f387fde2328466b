import { listIn, type Operation } from "@tandem/contract/operation";
import { JsonText } from "./context.ts";

/**
 * Reduces the items of a list to the requested fields, in their usual order; null for operations without a list. It
 * parses and serializes the response again, only for requests that use `fields`.
 */
export function trimmerOf(op: Operation): ((response: JsonText, fields: string) => JsonText) | null {
  const list = listIn(op);
  if (!list || !("fields" in op.query.properties)) return null;
  return (response, fields) => {
    const whole = JSON.parse(response.text) as Record<string, unknown>;
    const requested = new Set(fields.split(","));
    const names = Object.keys(list.item.properties).filter((name) => requested.has(name));
    const items = whole[list.name] as Record<string, unknown>[];
    const trimmed = items.map((item) => Object.fromEntries(names.map((name) => [name, item[name]])));
    return new JsonText(JSON.stringify({ ...whole, [list.name]: trimmed }));
  };
}
