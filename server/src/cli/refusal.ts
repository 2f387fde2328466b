/** The command can't be carried out. The message is one sentence for the administrator. */
export class Refusal extends Error {}

/** Invalid arguments. */
export class UsageError extends Error {}
