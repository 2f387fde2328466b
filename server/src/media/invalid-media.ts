/** A file that can't be accepted. The message is shown to the uploader. */
export class InvalidMedia extends Error {}

/** Turns errors of decoding a file into {@link InvalidMedia} with the message `otherwise`, except system errors. */
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
