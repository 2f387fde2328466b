import { readFile, writeFile } from "node:fs/promises";
import { limits } from "@tandem/contract/limits";
import type { ImportResult } from "@tandem/contract/sources";
import { readConfig } from "../config.ts";
import { sourcesOpml } from "../features/sources/export.ts";
import { entriesOf, importAll } from "../features/sources/import.ts";
import { ApiError } from "../http/api-error.ts";
import type { Storage } from "../storage/storage.ts";
import { printable } from "./printable.ts";
import { recordAction } from "./record-action.ts";
import { Refusal } from "./refusal.ts";

export async function exportTo(storage: Storage, file: string): Promise<string> {
  const opml = await sourcesOpml(storage.read);
  await writeFile(file, opml, { flag: "wx" }).catch((error) => refuse(`${file} can't be written`, error));
  return `All sources are in ${printable(file)}.`;
}

/** Prints a line for each address of the file. */
export async function importFrom(storage: Storage, file: string, env: NodeJS.ProcessEnv): Promise<string> {
  const bytes = await readFile(file).catch((error) => refuse(`${file} can't be read`, error));
  if (bytes.length > limits.opmlBytes)
    throw new Refusal(`The file is larger than ${limits.opmlBytes / 2 ** 20} MiB.`);
  const entries = await entriesOf(bytes, file).catch((error) => {
    throw error instanceof ApiError ? new Refusal(printable(error.message)) : error;
  });
  const { outgoingAllow } = readConfig(env);
  const { added, results } = await storage.write(async (tx) => {
    const imported = await importAll(tx, entries, outgoingAllow, Date.now());
    await recordAction(tx, "importSources", null, { added: imported.added });
    return imported;
  });
  const summary = `${added} of ${results.length} added. They will be polled when the service runs, or by \`tandem ingest\`.`;
  return [...results.map(lineOf), summary].join("\n");
}

function lineOf({ url, result, sourceId, message }: ImportResult): string {
  const about = `${sourceId ?? "-"}  ${result}  ${printable(url)}`;
  return message === null ? about : `${about}\n    ${printable(message)}`;
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file or folder",
  EEXIST: "it already exists",
};

/** Reports an error of the file system without a stack trace. */
function refuse(what: string, { code, message }: NodeJS.ErrnoException): never {
  throw new Refusal(printable(`${what}: ${reasons[code ?? ""] ?? message}.`));
}
