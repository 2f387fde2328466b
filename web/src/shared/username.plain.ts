import { Username } from "@tandem/contract/fields";

/**
 * The contract's pattern for usernames. HTML patterns use the `v` flag, which requires the hyphen to be
 * escaped.
 */
export const usernamePattern = String(Object(Username).pattern).replace(".-]", ".\\-]");
