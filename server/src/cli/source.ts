import type { OperationName } from "@tandem/contract/operations";
import { MAX_ID } from "@tandem/contract/schema";
import { createApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { addSource, type DiscoveredSource, discoverSource } from "../features/sources/add.ts";
import { demoSources } from "../features/sources/demo.ts";
import type { SourceFigures } from "../features/sources/sources.queries.ts";
import { changeSource, enabling, pollingNow, removing, sourcesBelow } from "../features/sources/sources.ts";
import { ApiError } from "../http/api-error.ts";
import type { Db, Storage } from "../storage/storage.ts";
import { recordOperator } from "./by-operator.ts";
import type { Command, OpenStorage, Terminal } from "./command.ts";
import { Refusal, UsageError } from "./refusal.ts";
import { shown } from "./shown.ts";

type Deed = (storage: Storage, value: string, env: NodeJS.ProcessEnv) => Promise<string>;

const deeds: Record<string, Deed> = {
  async add(storage, url, env) {
    const { services } = createApp({ config: readConfig(env), storage });
    const found = await discoverSource(services, url);
    const source = await storage.write((tx) => adding(tx, found, true));
    return `${told(source)}\nIt is asked as soon as the service runs, or by "ingest".`;
  },
  enable: (storage, id) => changed(storage, "editSource", id, (row) => enabling(row, true, Date.now())),
  disable: (storage, id) => changed(storage, "editSource", id, (row) => enabling(row, false, Date.now())),
  poll: (storage, id) => changed(storage, "pollSource", id, (row) => pollingNow(row, Date.now())),
  remove: (storage, id) => changed(storage, "removeSource", id, () => removing(Date.now())),
};

export const source: Command = {
  usage: `source add URL | list | demo | ${Object.keys(deeds)
    .filter((name) => name !== "add")
    .join(" ID | ")} ID`,
  description: [
    "Looks after the sources that posts are gathered from: adds a feed, a community, a channel or an author by its",
    "address, lists them, lets one rest or be asked again, has it asked now, or removes it with all its posts. `demo`",
    "adds one of each platform, all resting.",
  ].join("\n"),
  async run([name = "", value, ...more], open, terminal, env) {
    if (name === "list" && value === undefined) return list(open, terminal);
    if (name === "demo" && value === undefined) return addDemo(open, terminal);
    const deed = Object.hasOwn(deeds, name) ? deeds[name] : undefined;
    if (!deed || value === undefined || more.length > 0)
      throw new UsageError("source takes one of these words, and what it is about.");
    terminal.out(await deed(await open(), value, env).catch(refuse));
  },
};

/** They rest until they are enabled: nobody is asked for anything unasked. Those that are there already stay as they are. */
async function addDemo(open: OpenStorage, { out }: Terminal): Promise<void> {
  const storage = await open();
  for (const found of demoSources()) {
    const add = (tx: Db) => addSource(tx, found, Date.now(), false);
    out(await storage.write(add).then(told, (error) => `${shown(found.url)}  ${reasonOf(error)}`));
  }
}

async function adding(tx: Db, found: DiscoveredSource, enabled: boolean): Promise<SourceFigures> {
  const row = await addSource(tx, found, Date.now(), enabled);
  await recordOperator(tx, "addSource", `source:${row.id}`, { url: row.url });
  return row;
}

async function list(open: OpenStorage, { out }: Terminal): Promise<void> {
  const { read } = await open();
  for (let below = MAX_ID; ; ) {
    const page = await sourcesBelow(read, below, null, 1000);
    for (const row of page) out(told(row));
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
  if (!/^[1-9]\d{0,14}$/.test(value)) throw new UsageError(`"${value}" is no id of a source.`);
  const changing = async (tx: Db) => {
    const row = await changeSource(tx, Number(value), change);
    await recordOperator(tx, act, `source:${row.id}`, { enabled: row.enabled === 1 });
    return row;
  };
  return told(await storage.write(changing));
}

/** One line; what went wrong on a second. */
function told({ id, platform, name, url, enabled, state, last_error }: SourceFigures): string {
  const standing = enabled || state === "removing" ? state : "resting";
  const error = last_error === null ? "" : `\n    ${shown(last_error)}`;
  return `${id}  ${platform}  ${standing}  ${shown(name)}  ${shown(url ?? "")}${error}`;
}

function refuse(error: unknown): never {
  throw new Refusal(reasonOf(error));
}

/** What an admin would be told; all else is a fault of ours. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return shown(error.message);
  throw error;
}
