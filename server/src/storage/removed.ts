/** The placeholder creator that removed posts are assigned to, which keeps them out of every range that feeds read. */
export const REMOVED_CREATOR = 0;

/** The hot rank of removed posts: lower than that of any visible post, so that the hot feed ends before them. */
export const REMOVED_RANK = -1e9;

/** The hot rank of archived posts: lower than that of all others that are visible, whatever people think of them and whatever time an export states. */
export const ARCHIVED_RANK = -1e8;
