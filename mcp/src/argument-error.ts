/** A call that can be put right by whoever made it, told before the service hears of it. */
export class ArgumentError extends Error {
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}
