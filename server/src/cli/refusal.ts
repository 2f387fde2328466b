/** A command that can't be carried out. Its message is one sentence for the operator. */
export class Refusal extends Error {}

/** A command line that can't be meant so. */
export class UsageError extends Error {}
