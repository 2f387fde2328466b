/** The creator that removed posts hang on, so that they are in no range that any feed reads; it is nobody. */
export const REMOVED_CREATOR = 0;

/** Below the rank of whatever is shown: the hot feed ends before it. */
export const REMOVED_RANK = -1e9;
