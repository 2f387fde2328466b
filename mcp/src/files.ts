import { openAsBlob } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { extname } from "node:path";
import { type FileField, fileTypes } from "@tandem/contract/files";
import type { Operation } from "@tandem/contract/operation";
import { ArgumentError } from "./argument-error.ts";

/** The files at a call's paths, by field, and a fingerprint of each, which changes when the content does. */
export interface LocalFiles {
  blobs: Record<string, Blob>;
  fingerprints: string[];
}

export async function openFiles(op: Operation, args: Record<string, unknown>): Promise<LocalFiles> {
  const named = Object.entries(op.files).filter(([name]) => args[name] != null);
  const opened = await Promise.all(named.map(([name, file]) => open(name, file, args[name])));
  return {
    blobs: Object.fromEntries(opened.map(({ name, blob }) => [name, blob])),
    fingerprints: opened.map(({ fingerprint }) => fingerprint),
  };
}

/**
 * Opens only files whose real path, with links resolved, has the extension of a picture or video: a prompt injection could
 * make a model name other files.
 */
async function open(name: string, file: FileField, path: unknown) {
  if (typeof path !== "string") throw new ArgumentError(`${name} must be the path of a file.`, name);
  const real = await realpath(path).catch(() => null);
  const found = real === null ? null : await stat(real);
  if (real === null || !found?.isFile())
    throw new ArgumentError(`${name}: no file exists at this path.`, name);
  if (!extensionsOf(file).includes(extname(real).toLowerCase()))
    throw new ArgumentError(
      `${name} must have one of these extensions: ${extensionsOf(file).join(", ")}.`,
      name,
    );
  if (found.size > file.bytes)
    throw new ArgumentError(`${name} exceeds the limit of ${file.bytes / 2 ** 20} MB.`, name);
  return { name, blob: await openAsBlob(real), fingerprint: `${real} ${found.size} ${found.mtimeMs}` };
}

function extensionsOf({ takes }: FileField): string[] {
  const all = takes.map((type) => `.${fileTypes[type].extension}`);
  return all.includes(".jpg") ? [...all, ".jpeg"] : all;
}
