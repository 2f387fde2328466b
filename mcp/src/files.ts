import { openAsBlob } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { extname, sep } from "node:path";
import { type FileField, fileTypes } from "@tandem/contract/files";
import type { Operation } from "@tandem/contract/operation";
import { ArgumentError } from "./argument-error.ts";

/**
 * How a call sends files: by path, from these folders alone (absolute paths without symbolic links), or in the call as base64,
 * which only suits pictures.
 */
export type FileAccess =
  | { by: "path"; folders: readonly string[] }
  /** The maximum size of a file, decoded. */
  | { by: "base64"; maxBytes: number };

/** The files that a tool takes, by field. */
export function filesTaken(op: Operation, access: FileAccess): [string, FileField][] {
  const all = Object.entries(op.files);
  if (access.by === "path") return all;
  return all
    .filter(([, { kind }]) => kind === "picture")
    .map(([name, file]) => [name, { ...file, bytes: Math.min(file.bytes, access.maxBytes) }]);
}

/** The files of a call, by field, and a fingerprint of each, which changes when the content does. */
export interface OpenedFiles {
  blobs: Record<string, Blob | Blob[]>;
  fingerprints: string[];
}

/** Throws {@link ArgumentError}. */
export async function openFiles(
  op: Operation,
  args: Record<string, unknown>,
  access: FileAccess,
): Promise<OpenedFiles> {
  const named = filesTaken(op, access).filter(([name]) => args[name] != null);
  const opened = await Promise.all(
    named.map(async ([name, file]) => {
      const given = args[name];
      // Models also send a single file without a list.
      const values = file.max > 1 && Array.isArray(given) ? given : [given];
      if (values.length > file.max)
        throw new ArgumentError(`${name} can have at most ${file.max} files.`, name);
      const files = await Promise.all(values.map((value) => openFile(name, file, value, access)));
      return { name, isList: file.max > 1, files };
    }),
  );
  return {
    blobs: Object.fromEntries(
      opened.flatMap(({ name, isList, files }) => {
        const blobs = files.map(({ blob }) => blob);
        const [first] = blobs;
        return first ? [[name, isList ? blobs : first]] : [];
      }),
    ),
    fingerprints: opened.flatMap(({ files }) => files.map(({ fingerprint }) => fingerprint)),
  };
}

async function openFile(name: string, file: FileField, value: unknown, access: FileAccess) {
  const opened =
    access.by === "path" ? await open(name, file, value, access.folders) : decode(name, file, value);
  if (opened.blob.size > file.bytes)
    throw new ArgumentError(`${name} exceeds the limit of ${sizeOf(file)}.`, name);
  return opened;
}

/**
 * Opens only files in the allowed folders whose real path, with links resolved, has the extension of a picture or video: a prompt
 * injection could make a model name other files.
 */
async function open(name: string, file: FileField, path: unknown, folders: readonly string[]) {
  if (typeof path !== "string") throw new ArgumentError(`${name} must be the path of a file.`, name);
  const real = await realpath(path).catch(() => null);
  // Whether a file exists elsewhere is not the caller's business.
  if (real === null || !folders.some((folder) => isInside(real, folder)))
    throw new ArgumentError(`${name} must be a file in ${folders.join(" or ")}.`, name);
  const found = await stat(real);
  if (!found.isFile()) throw new ArgumentError(`${name}: no file exists at this path.`, name);
  if (!extensionsOf(file).includes(extname(real).toLowerCase()))
    throw new ArgumentError(
      `${name} must have one of these extensions: ${extensionsOf(file).join(", ")}.`,
      name,
    );
  return { blob: await openAsBlob(real), fingerprint: `${real} ${found.size} ${found.mtimeMs}` };
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

const DATA_URL = /^data:[\w/+.-]*;base64,/;

/** Decodes base64, with or without the beginning of a data URL. */
function decode(name: string, file: FileField, value: unknown) {
  const text = typeof value === "string" ? value.replace(DATA_URL, "").replaceAll(/\s/g, "") : "";
  if (text === "" || !/^[\w+/-]+={0,2}$/.test(text))
    throw new ArgumentError(
      `${name} must be the content of a picture in base64, of at most ${sizeOf(file)}. This server can't open paths.`,
      name,
    );
  // The text itself is part of what identifies the call.
  return { blob: new Blob([Buffer.from(text, "base64")]), fingerprint: "" };
}

/** The maximum size of a file, in words. */
export function sizeOf({ bytes }: FileField): string {
  return bytes < 2 ** 20 ? `${Math.floor(bytes / 1024)} KiB` : `${bytes / 2 ** 20} MB`;
}

function extensionsOf({ takes }: FileField): string[] {
  const all = takes.map((type) => `.${fileTypes[type].extension}`);
  return all.includes(".jpg") ? [...all, ".jpeg"] : all;
}
