/** Invalid arguments, detected before the service is called. The message tells the caller how to correct them. */
export class ArgumentError extends Error {
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}
