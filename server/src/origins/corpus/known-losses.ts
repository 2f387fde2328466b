/** Documents that don't come whole yet, and why. A test fails for one that does, so that this list stays true. */
export const knownLosses: Record<string, string> = {};
