import type { TObject, TSchema } from "typebox";
import type { JsonSchemaNode } from "./json-schema.ts";
import type { Operation } from "./operation.ts";
import { operationList } from "./operations.ts";

/** A collection of resources, and the member of it that an operation works on. */
export interface NamedResource {
  /** The collection's path, with `{name}` for its parameters. */
  path: string;
  /** The path parameter with the member's id; null if the body names it. */
  param: string | null;
}

/**
 * What an operation works on, by its path: `/api/admin/posts/{id}/remove` on a member of `/api/posts`. With a member's fields in
 * its body, it works on a member of its own path. Creating in a list, as by `POST /api/posts/{id}/comments`, is about the list alone.
 */
export function namedResources(op: Operation): NamedResource[] {
  const own = { path: op.path, param: null };
  const named = namesMember(op) ? [own] : [];
  if (op.method === "POST" && readersOf(own).length > 0) return named;
  const parts = op.path.split("/");
  const inPath = parts.flatMap((part, at) => {
    const [, param] = /^\{(\w+)\}$/.exec(part) ?? [];
    return param === undefined ? [] : [{ path: parts.slice(0, at).join("/"), param }];
  });
  return [...named, ...inPath];
}

/** Whether the body needs fields that a member of the list at the operation's own path shows. */
function namesMember({ path, body }: Operation): boolean {
  const members = readersOf({ path, param: null }).flatMap((reader) => shownBy(reader));
  const { properties, required = [] } = body as TObject & { required?: string[] };
  const names = "id" in properties ? ["id"] : required;
  return (
    names.length > 0 &&
    members.some((member) => names.every((name) => Object.hasOwn(member.properties, name)))
  );
}

/** The operations that read a collection or a member of it. What admins work on may be what everyone reads. */
export function readersOf({ path }: NamedResource): Operation[] {
  const paths = [path, path.replace("/api/admin/", "/api/")];
  return operationList.filter(
    (op) =>
      op.method === "GET" &&
      !op.streams &&
      !op.redirects &&
      paths.some((one) => op.path === one || isMemberPath(op.path, one)),
  );
}

function isMemberPath(path: string, collection: string): boolean {
  return path.startsWith(`${collection}/`) && /^\{\w+\}$/.test(path.slice(collection.length + 1));
}

/** The objects in a response: alone and, unless `lists` is false, in lists. */
export function shownBy({ response }: Pick<Operation, "response">, { lists = true } = {}): TObject[] {
  return Object.values((response as TObject).properties).flatMap((schema) => objectsIn(schema, lists));
}

function objectsIn(schema: TSchema, lists: boolean): TObject[] {
  const { anyOf = [], properties, items } = schema as JsonSchemaNode;
  if (properties) return [schema as TObject];
  const parts = [...anyOf, ...(lists && items ? [items] : [])];
  return parts.flatMap((one) => objectsIn(one as TSchema, lists));
}
