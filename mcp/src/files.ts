import { openAsBlob } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { extname } from "node:path";
import { type FileField, fileTypes } from "@tandem/contract/files";
import type { Operation } from "@tandem/contract/operation";
import { ArgumentError } from "./argument-error.ts";

/** Files at the paths that a call names, by field, and a mark of each that changes when its content does. */
export interface LocalFiles {
  blobs: Record<string, Blob>;
  marks: string[];
}

export async function openFiles(op: Operation, args: Record<string, unknown>): Promise<LocalFiles> {
  const named = Object.entries(op.files).filter(([name]) => args[name] != null);
  const opened = await Promise.all(named.map(([name, file]) => open(name, file, args[name])));
  return {
    blobs: Object.fromEntries(opened.map(({ name, blob }) => [name, blob])),
    marks: opened.map(({ mark }) => mark),
  };
}

/**
 * Only what ends as a picture or video does leaves the machine, wherever a link leads: a model may have been talked
 * into naming other files.
 */
async function open(name: string, file: FileField, path: unknown) {
  if (typeof path !== "string") throw new ArgumentError(`${name} must be the path of a file.`, name);
  const real = await realpath(path).catch(() => null);
  const found = real === null ? null : await stat(real);
  if (real === null || !found?.isFile())
    throw new ArgumentError(`${name}: there is no file at this path.`, name);
  if (!endings(file).includes(extname(real).toLowerCase()))
    throw new ArgumentError(`${name} takes files that end in ${endings(file).join(", ")}.`, name);
  if (found.size > file.bytes)
    throw new ArgumentError(`${name} may have ${file.bytes / 2 ** 20} MB, and this has more.`, name);
  return { name, blob: await openAsBlob(real), mark: `${real} ${found.size} ${found.mtimeMs}` };
}

function endings({ takes }: FileField): string[] {
  const all = takes.map((type) => `.${fileTypes[type].extension}`);
  return all.includes(".jpg") ? [...all, ".jpeg"] : all;
}
