import { fileTypes } from "@tandem/contract/files";
import type { Operation } from "@tandem/contract/operation";
import { inspectPicture } from "../media/pictures.ts";
import { UnfitMedia } from "../media/unfit.ts";
import { inspectVideo } from "../media/video.ts";
import type { Received } from "./form.ts";
import { invalid } from "./problem.ts";

/** What a handler is given for a file of each kind: where it lies until the answer, and what it was found to be. */
export interface Uploads {
  picture: Received & { is: Awaited<ReturnType<typeof inspectPicture>> };
  video: Received & { is: Awaited<ReturnType<typeof inspectVideo>> };
}

/** Judges each file by its content, in the contract's order: never by its name, nor by what it says it is. */
export async function judgeFiles(
  op: Operation,
  received: ReadonlyMap<string, Received>,
): Promise<Record<string, Uploads[keyof Uploads]>> {
  const judged: Record<string, Uploads[keyof Uploads]> = {};
  for (const [field, { kind, takes, required }] of Object.entries(op.files)) {
    const file = received.get(field);
    if (!file) {
      if (required) throw invalid(field, `${field} is required.`);
      continue;
    }
    const inspect = kind === "picture" ? inspectPicture : inspectVideo;
    const is = await unfitIn<Uploads[keyof Uploads]["is"]>(field, () => inspect(file.path));
    if (!takes.includes(is.type)) throw invalid(field, `${field} takes ${listed(takes)}.`);
    judged[field] = { ...file, is } as Uploads[keyof Uploads];
  }
  return judged;
}

/** Does work on the file of a field; where the file turns out to be unfit, that is the field's fault. */
export async function unfitIn<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UnfitMedia ? invalid(field, `${field}: ${error.message}`) : error;
  }
}

function listed(types: readonly (keyof typeof fileTypes)[]): string {
  return types.map((type) => fileTypes[type].extension).join(", ");
}
