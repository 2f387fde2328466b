/** The command can't be carried out. The message is one sentence for the operator. */
export class Refusal extends Error {}

/** Invalid arguments. */
export class UsageError extends Error {}
