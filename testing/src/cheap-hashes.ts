import { setHashCost } from "@tandem/server/features/accounts/hashing";

/** Vitest setup file: cheap password hashes, because tests create thousands of accounts. */
setHashCost({ memoryCost: 8, timeCost: 1 });
