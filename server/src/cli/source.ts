import type { OperationName } from "@tandem/contract/operations";
import { MAX_ID } from "@tandem/contract/schema";
import { createApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { addSource, type DiscoveredSource, discoverSource } from "../features/sources/add.ts";
import { demoSources } from "../features/sources/demo.ts";
import type { SourceRecord } from "../features/sources/sources.queries.ts";
import { changeSource, enabling, pollingNow, removing, sourcesBelow } from "../features/sources/sources.ts";
import { ApiError } from "../http/api-error.ts";
import type { Db, Storage } from "../storage/storage.ts";
import type { Command, OpenStorage, Terminal } from "./command.ts";
import { printable } from "./printable.ts";
import { recordAction } from "./record-action.ts";
import { Refusal, UsageError } from "./refusal.ts";
import { exportTo, importFrom } from "./source-opml.ts";

type Action = (storage: Storage, value: string, env: NodeJS.ProcessEnv) => Promise<string>;

const actions: Record<string, Action> = {
  async add(storage, url, env) {
    const { services } = createApp({ config: readConfig(env), storage });
    const found = await discoverSource(services, url);
    const source = await storage.write((tx) => adding(tx, found, true));
    return `${describe(source)}\nIt will be polled when the service runs, or by \`tandem ingest\`.`;
  },
  export: exportTo,
  import: importFrom,
  enable: (storage, id) => changed(storage, "editSource", id, (row) => enabling(row, true, Date.now())),
  disable: (storage, id) => changed(storage, "editSource", id, (row) => enabling(row, false, Date.now())),
  poll: (storage, id) => changed(storage, "pollSource", id, (row) => pollingNow(row, Date.now())),
  remove: (storage, id) => changed(storage, "removeSource", id, () => removing(Date.now())),
};

export const source: Command = {
  usage:
    "source add URL | list | demo | export FILE | import FILE | enable ID | disable ID | poll ID | remove ID",
  description: [
    "Manage the sources that posts are imported from: add a feed, community, channel or author by its URL, list all",
    "sources, enable or disable one, poll it now, or remove it with all its posts. `demo` adds one source per",
    "platform, disabled. `export` writes all sources to an OPML file; `import` adds the feeds of one.",
  ].join("\n"),
  async run([name = "", value, ...more], open, terminal, env) {
    if (name === "list" && value === undefined) return list(open, terminal);
    if (name === "demo" && value === undefined) return addDemo(open, terminal);
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action || value === undefined || more.length > 0)
      throw new UsageError("Expected a subcommand and its argument.");
    terminal.out(await action(await open(), value, env).catch(toRefusal));
  },
};

/** Adds disabled sources, so that nothing is polled until an admin enables it. Existing sources stay unchanged. */
async function addDemo(open: OpenStorage, { out }: Terminal): Promise<void> {
  const storage = await open();
  for (const found of demoSources()) {
    const add = (tx: Db) => addSource(tx, found, Date.now(), false);
    out(await storage.write(add).then(describe, (error) => `${printable(found.url)}  ${reasonOf(error)}`));
  }
}

async function adding(tx: Db, found: DiscoveredSource, enabled: boolean): Promise<SourceRecord> {
  const row = await addSource(tx, found, Date.now(), enabled);
  await recordAction(tx, "addSource", `source:${row.id}`, { url: row.url });
  return row;
}

async function list(open: OpenStorage, { out }: Terminal): Promise<void> {
  const { read } = await open();
  for (let below = MAX_ID; ; ) {
    const page = await sourcesBelow(read, below, null, 1000);
    for (const row of page) out(describe(row));
    const last = page.at(-1);
    if (!last) return;
    below = last.id;
  }
}

async function changed(
  storage: Storage,
  act: OperationName,
  value: string,
  change: Parameters<typeof changeSource>[2],
): Promise<string> {
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new UsageError(`"${value}" isn't a source id.`);
  const changing = async (tx: Db) => {
    const row = await changeSource(tx, Number(value), change, Date.now());
    await recordAction(tx, act, `source:${row.id}`, { enabled: row.enabled === 1 });
    return row;
  };
  return describe(await storage.write(changing));
}

/** One line, and the last error on a second. */
function describe({ id, platform, name, url, enabled, state, last_error }: SourceRecord): string {
  const status = enabled || state === "removing" ? state : "disabled";
  const error = last_error === null ? "" : `\n    ${printable(last_error)}`;
  return `${id}  ${platform}  ${status}  ${printable(name)}  ${printable(url ?? "")}${error}`;
}

function toRefusal(error: unknown): never {
  throw new Refusal(reasonOf(error));
}

/** The message of an expected error; other errors are rethrown. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return printable(error.message);
  throw error;
}
