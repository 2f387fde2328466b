/**
 * Begins an `Idempotency-Key` that a client derives from what it sends, because its caller names no attempts. The
 * service forgets such a key once what it created was deleted, so that the same call creates it again.
 */
export const DERIVED_KEY_PREFIX = "derived-";
