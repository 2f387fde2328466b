import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";
import { isWrite, type Operation } from "@tandem/contract/operation";
import { docstring } from "./python-text.ts";

/** Python's reserved words that can't be fields of a class. */
const reserved = new Set(
  "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield".split(
    " ",
  ),
);

/** The module with a `TypedDict` for each response of these operations, and for the resources in it. */
export function pythonTypes(ops: readonly Operation[]): string {
  const classes = new Map<string, string[]>();
  for (const op of ops) {
    const { properties, required } = op.response as JsonSchemaNode;
    const described = { properties: { ...properties }, required: [...(required ?? [])] };
    if (isWrite(op)) described.properties.dryRun = { type: "boolean", const: true };
    addClass(classes, responseName(op), described);
  }
  return [
    '"""Types of the API\'s responses. Generated from the contract by client/src/publish/python-types.ts."""',
    "",
    "from typing import Literal, NotRequired, TypedDict",
    // Each after what it contains: with names as text, Python 3.11 wouldn't see which fields aren't required.
    ...[...classes.values()].flatMap((lines) => ["", "", ...lines]),
    "",
  ].join("\n");
}

/** The name of an operation's response in the module of types. */
export function responseName({ name }: Operation): string {
  return `${pascalCase(name)}Response`;
}

/** The type of a paged list's items. */
export function itemType(op: Operation, list: string): string {
  const items = (op.response as JsonSchemaNode).properties?.[list]?.items;
  if (!items) throw new Error(`${op.name} has no list ${list}`);
  return items.$id ?? `${responseName(op)}${pascalCase(list)}`;
}

function addClass(classes: Map<string, string[]>, name: string, schema: JsonSchemaNode): string {
  if (classes.has(name)) return name;
  const { properties = {}, required = [], description } = schema;
  const fields = Object.entries(properties).map(([field, of]): [string, string] => {
    const type = typeOf(classes, of, `${name}${pascalCase(field)}`);
    return [field, required.includes(field) ? type : `NotRequired[${type}]`];
  });
  classes.set(
    name,
    fields.some(([field]) => reserved.has(field)) ? asCall(name, fields) : asClass(name, fields, description),
  );
  return name;
}

function asClass(name: string, fields: [string, string][], description: string | undefined): string[] {
  return [
    `class ${name}(TypedDict):`,
    ...(description ? [...docstring([description], "    "), ""] : []),
    ...fields.map(([field, type]) => `    ${field}: ${type}`),
  ];
}

/** A class can't have a field named by a reserved word. */
function asCall(name: string, fields: [string, string][]): string[] {
  return [
    `${name} = TypedDict(`,
    `    "${name}",`,
    "    {",
    ...fields.map(([field, type]) => `        "${field}": ${JSON.stringify(type)},`),
    "    },",
    ")",
  ];
}

const scalars: Record<string, string> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

function typeOf(classes: Map<string, string[]>, schema: JsonSchemaNode, name: string): string {
  const types = alternatives(schema).map((one) => {
    const { type, items, properties, $id } = one;
    const values = one.enum ?? (one.const === undefined ? undefined : [one.const]);
    if (values) return `Literal[${values.map(literal).join(", ")}]`;
    if (items) return `list[${typeOf(classes, items, name)}]`;
    if (properties) return addClass(classes, $id ?? name, one);
    const scalar = scalars[type ?? ""];
    if (scalar === undefined) throw new Error(`${name} has a type that Python's types can't express`);
    return scalar;
  });
  return [...new Set(types)].join(" | ");
}

function literal(value: unknown): string {
  return typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
}

function pascalCase(name: string): string {
  return name.replace(/^./, (letter) => letter.toUpperCase());
}
