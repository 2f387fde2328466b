/** One or two initials of a name. */
export function initialsOf(name: string): string {
  // What follows an apostrophe is no word of its own.
  const words = name
    .replace(/(?<=\p{L})['’]\p{L}*/gu, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? "");
  return (letters.join("") || "?").toUpperCase();
}
