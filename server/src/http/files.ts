import { fileTypes } from "@tandem/contract/files";
import type { Operation } from "@tandem/contract/operation";
import { InvalidMedia } from "../media/invalid-media.ts";
import { inspectPicture } from "../media/pictures.ts";
import { inspectVideo } from "../media/video.ts";
import { invalid } from "./api-error.ts";
import type { Received } from "./form.ts";

/** What a handler gets for a file of each kind: its temporary path, and what its content is. It reads OPML itself. */
export interface Uploads {
  opml: Received;
  picture: Received & { is: Awaited<ReturnType<typeof inspectPicture>> };
  video: Received & { is: Awaited<ReturnType<typeof inspectVideo>> };
}

/** Validates each file by its content, in the contract's order; never by its name or declared type. */
export async function identifyFiles(
  op: Operation,
  received: ReadonlyMap<string, Received>,
): Promise<Record<string, Uploads[keyof Uploads]>> {
  const identified: Record<string, Uploads[keyof Uploads]> = {};
  for (const [field, { kind, takes, required }] of Object.entries(op.files)) {
    const file = received.get(field);
    if (!file) {
      if (required) throw invalid(field, `${field} is required.`);
      continue;
    }
    if (kind === "opml") {
      identified[field] = file;
      continue;
    }
    const inspect = kind === "picture" ? inspectPicture : inspectVideo;
    const is = await namingField<Uploads["picture" | "video"]["is"]>(field, () => inspect(file.path));
    if (!takes.includes(is.type)) throw invalid(field, `${field} must be ${listed(takes)}.`);
    identified[field] = { ...file, is } as Uploads[keyof Uploads];
  }
  return identified;
}

/** Processes the file of a field; if the file is invalid, the error names the field. */
export async function namingField<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof InvalidMedia ? invalid(field, `${field}: ${error.message}`) : error;
  }
}

function listed(types: readonly (keyof typeof fileTypes)[]): string {
  return types.map((type) => fileTypes[type].extension).join(" or ");
}
