import { setHashCost } from "@tandem/server/features/accounts/hashing";

/** Before each file of tests: accounts are made by the thousand, and hashing passwords alone would take minutes. */
setHashCost({ memoryCost: 8, timeCost: 1 });
