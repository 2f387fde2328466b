import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";
import { isWrite, type Operation } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";

/** Characters of a line. */
const WIDTH = 110;

/** The module of the Python client with a method per operation that keys may call. */
export function pythonOperations(): string {
  const ops = operationList.filter(isForKeys);
  return [
    '"""The API\'s operations. Generated from the contract by client/src/publish/python.ts."""',
    "",
    "from __future__ import annotations",
    "",
    "from typing import Any",
    "",
    "from ._transport import UNSET, Transport, Unset, Upload",
    "",
    "",
    "class Operations:",
    '    """A method per operation that an API key may call."""',
    "",
    "    _transport: Transport",
    ...ops.flatMap((op) => ["", ...methodOf(op)]),
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
    "    ) -> dict[str, Any]:",
    ...docstring([
      op.description,
      ...described.map(({ name, description }) => `${snakeCase(name)}: ${description}`),
    ]),
    "        values = {",
    ...parameters.map(({ name }) => `            ${python(name)}: ${snakeCase(name)},`),
    "        }",
    `        return self._transport.call(${[`ROUTES[${python(name)}]`, "values", ...passed].join(", ")})`,
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
  const files = Object.entries(op.files).map(([name, { required, description }]) => ({
    name,
    type: "Upload",
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

function docstring(paragraphs: readonly string[]): string[] {
  const lines = paragraphs.flatMap((text, at) => [...(at === 1 ? [""] : []), ...wrap(text)]);
  const escaped = lines.map((line) => line.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"'));
  const [first = "", ...more] = escaped;
  const indented = more.map((line) => (line === "" ? "" : `        ${line}`));
  if (more.length === 0) return [`        """${first}"""`];
  return [`        """${first}`, ...indented, '        """'];
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH - 12)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
