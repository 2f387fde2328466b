import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";
import { isWrite, type Operation } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import { docstring } from "./python-text.ts";
import { itemType, pythonTypes, responseName } from "./python-types.ts";

/** The generated modules of the Python client, by name: a method per operation that keys may call, and the types of responses. */
export function pythonModules(): Record<string, string> {
  const ops = operationList.filter(isForKeys);
  return { "_operations.py": pythonOperations(ops), "types.py": pythonTypes(ops) };
}

function pythonOperations(ops: readonly Operation[]): string {
  return [
    '"""The API\'s operations. Generated from the contract by client/src/publish/python.ts."""',
    "",
    "from __future__ import annotations",
    "",
    "from collections.abc import Callable, Iterator",
    "from typing import Any, overload",
    "",
    // Not `types`, which is the name of a parameter.
    "from . import types as _types",
    "from ._transport import UNSET, Transport, Unset, Upload, pages",
    "",
    "",
    "class Operations:",
    '    """A method per operation that an API key may call."""',
    "",
    "    _transport: Transport",
    ...ops.flatMap((op) => ["", ...methodOf(op)]),
    "",
    ...pagesOf(ops),
    "",
    "",
    "ROUTES: dict[str, dict[str, Any]] = {",
    ...ops.map((op) => `    ${python(snakeCase(op.name))}: ${python(routeOf(op))},`),
    "}",
    "",
  ].join("\n");
}

/** Those that sign in are left out: they set cookies, and this client sends a key. */
function isForKeys({ access, streams, redirects, path, method }: Operation): boolean {
  const signsIn = path.startsWith("/api/auth/") && method !== "GET";
  return access.kind !== "session" && !streams && !redirects && !signsIn;
}

/** The method that reads all pages of a list, with the type of its items. */
function pagesOf(ops: readonly Operation[]): string[] {
  // Lists of the same shape have one type in Python.
  const lists = new Map<string, string[]>();
  for (const op of ops) {
    const { pages } = routes[op.name as OperationName];
    if (pages === null) continue;
    const item = itemType(op, pages);
    lists.set(`${pages} ${item}`, [
      "    @overload",
      "    def pages(",
      `        self, method: Callable[..., _types.${responseName(op)}], **arguments: Any`,
      `    ) -> Iterator[_types.${item}]: ...`,
      "",
    ]);
  }
  return [
    ...[...lists.values()].flat(),
    "    def pages(self, method: Callable[..., Any], **arguments: Any) -> Iterator[Any]:",
    ...docstring([
      'Iterates over all items of a paged list: `for post in tandem.pages(tandem.list_posts, sort="hot")`.',
      "A page is fetched when its first item is needed. No item with an id appears twice.",
    ]),
    "        return pages(ROUTES[method.__name__], method, arguments)",
  ];
}

interface Parameter {
  /** As the API names it. */
  name: string;
  type: string;
  required: boolean;
  description: string | undefined;
}

function methodOf(op: Operation): string[] {
  const parameters = parametersOf(op);
  const name = snakeCase(op.name);
  const options = isWrite(op) ? ["dry_run: bool = False"] : [];
  const signature = [
    "        self,",
    ...(parameters.length + options.length > 0 ? ["        *,"] : []),
    ...parameters.map(({ name, type, required }) =>
      required
        ? `        ${snakeCase(name)}: ${type},`
        : `        ${snakeCase(name)}: ${type} | Unset = UNSET,`,
    ),
    ...options.map((option) => `        ${option},`),
    ...(routes[op.name as OperationName].keyed ? ["        idempotency_key: str | None = None,"] : []),
  ];
  const described = parameters.filter(({ description }) => description);
  const passed = [
    ...(isWrite(op) ? ["dry_run=dry_run"] : []),
    ...(routes[op.name as OperationName].keyed ? ["idempotency_key=idempotency_key"] : []),
  ];
  return [
    `    def ${name}(`,
    ...signature,
    `    ) -> _types.${responseName(op)}:`,
    ...docstring([
      op.description,
      ...described.map(({ name, description }) => `${snakeCase(name)}: ${description}`),
    ]),
    "        values: dict[str, Any] = {",
    ...parameters.map(({ name }) => `            ${python(name)}: ${snakeCase(name)},`),
    "        }",
    `        response: _types.${responseName(op)} = self._transport.call(`,
    `            ${[`ROUTES[${python(name)}]`, "values", ...passed].join(", ")}`,
    "        )",
    "        return response",
  ];
}

function parametersOf(op: Operation): Parameter[] {
  const parts = [op.params, op.query, op.body] as JsonSchemaNode[];
  const fields = parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, schema]) => ({
      name,
      type: typeOf(schema),
      required: required.includes(name),
      description: schema.description,
    })),
  );
  const files = Object.entries(op.files).map(([name, { max, required, description }]) => ({
    name,
    type: max === 1 ? "Upload" : "Upload | list[Upload]",
    required,
    description,
  }));
  return [...fields, ...files];
}

const types: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  object: "dict[str, Any]",
  null: "None",
};

function typeOf(schema: JsonSchemaNode): string {
  const all = alternatives(schema).map((one) =>
    one.type === "array"
      ? `list[${typeOf(one.items ?? {})}]`
      : (types[one.type ?? typeof one.const] ?? "Any"),
  );
  return [...new Set(all)].join(" | ");
}

function routeOf({ name, params }: Operation) {
  const { method, path, query, body, files, keyed, pages } = routes[name as OperationName];
  return {
    method,
    path,
    params: Object.keys(params.properties),
    query,
    body,
    files: Object.keys(files),
    keyed,
    pages,
  };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function python(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/([:,])(?=["[{tfn])/g, "$1 ")
    .replaceAll(
      /(?<=: )(true|false|null)(?=[,}])/g,
      (word) => ({ true: "True", false: "False" })[word] ?? "None",
    );
}
