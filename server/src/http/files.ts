import { type FileField, fileTypes } from "@tandem/contract/files";
import type { Operation } from "@tandem/contract/operation";
import { InvalidMedia } from "../media/invalid-media.ts";
import { inspectPicture } from "../media/pictures.ts";
import { inspectVideo } from "../media/video.ts";
import { invalid } from "./api-error.ts";
import type { Received } from "./form.ts";

/** What a handler gets for a file of each kind: its temporary path, and what its content is. It reads OPML and archives itself. */
export interface Uploads {
  opml: Received;
  archive: Received;
  picture: Received & { is: Awaited<ReturnType<typeof inspectPicture>> };
  video: Received & { is: Awaited<ReturnType<typeof inspectVideo>> };
}

type Upload = Uploads[keyof Uploads];

/** Validates each file by its content, in the contract's order; never by its name or declared type. */
export async function identifyFiles(
  op: Operation,
  received: ReadonlyMap<string, readonly Received[]>,
): Promise<Record<string, Upload | Upload[]>> {
  const identified: Record<string, Upload | Upload[]> = {};
  for (const [field, takes] of Object.entries(op.files)) {
    const files = received.get(field) ?? [];
    const uploads: Upload[] = [];
    for (const [i, file] of files.entries())
      uploads.push(await identify(field, takes, file, labelOf(field, i, files.length)));
    const [first] = uploads;
    if (first) identified[field] = takes.max === 1 ? first : uploads;
    else if (takes.required) throw invalid(field, `${field} is required.`);
  }
  return identified;
}

async function identify(
  field: string,
  { kind, takes }: FileField,
  file: Received,
  label: string,
): Promise<Upload> {
  if (kind === "opml" || kind === "archive") return file;
  const inspect = kind === "picture" ? inspectPicture : inspectVideo;
  const inspected = () => inspect(file.path);
  const is = await namingField<Uploads["picture" | "video"]["is"]>(field, inspected, label);
  if (!takes.includes(is.type)) throw invalid(field, `${label} must be ${listed(takes)}.`);
  return { ...file, is } as Upload;
}

/** What a message calls one of several files of a field. */
export function labelOf(field: string, i: number, count: number): string {
  return count === 1 ? field : `${field} ${i + 1}`;
}

/** Processes the file of a field; if the file is invalid, the error names the field. */
export async function namingField<T>(field: string, work: () => Promise<T>, label = field): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof InvalidMedia ? invalid(field, `${label}: ${error.message}`) : error;
  }
}

function listed(types: readonly (keyof typeof fileTypes)[]): string {
  return types.map((type) => fileTypes[type].extension).join(" or ");
}
