/** In characters. A file of its own, because scripts that only find @mentions need no other limit. */
export const usernameLength = { min: 2, max: 40 };
