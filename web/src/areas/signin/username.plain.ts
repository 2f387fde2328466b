import { Username } from "@tandem/contract/fields";

/** The contract's rule for names, as a field of a page takes it: there, a bare hyphen stands for a range. */
export const usernamePattern = String(Object(Username).pattern).replace(".-]", ".\\-]");
