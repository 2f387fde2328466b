import type { Parser } from "./parsers.ts";

export type Environment = Record<string, string | undefined>;

export interface Setting<T = unknown> {
  /** The environment variable. */
  name: string;
  /** As written in the environment, if there is one. */
  default?: string;
  parse: Parser<T>;
  /** One sentence for administrators. */
  description: string;
}

/** Settings that make sense only together, and have one value. */
export interface Group<T = unknown> {
  settings: Setting[];
  read(env: Environment): T;
}

export type Table = Record<string, Setting | Group>;

/** The values of a table's settings. */
export type Values<T extends Table> = {
  [Name in keyof T]: T[Name] extends Setting<infer Value> | Group<infer Value> ? Value : never;
};

export function group<const T extends Record<string, Setting>, Value>(
  table: T,
  combine: (values: Values<T>) => Value,
): Group<Value> {
  return { settings: Object.values(table), read: (env) => combine(readTable(table, env)) };
}

export function readTable<T extends Table>(table: T, env: Environment): Values<T> {
  const values = Object.entries(table).map(([name, entry]) => [
    name,
    "read" in entry ? entry.read(env) : readSetting(entry, env),
  ]);
  return Object.fromEntries(values);
}

/** An empty setting counts as unset. */
export function readSetting<T>(setting: Setting<T>, env: Environment): T {
  return setting.parse(env[setting.name] || (setting.default ?? ""), setting.name);
}
