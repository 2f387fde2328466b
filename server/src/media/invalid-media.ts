/** A file that can't be taken. Its message is one sentence for whoever sent it. */
export class InvalidMedia extends Error {}

/** Reads a sender's file: whatever goes wrong is the file's fault, unless the disk says that it is ours. */
export async function wrapDecodeErrors<Result>(
  otherwise: string,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof InvalidMedia || (error instanceof Error && "syscall" in error)) throw error;
    throw new InvalidMedia(otherwise, { cause: error });
  }
}
