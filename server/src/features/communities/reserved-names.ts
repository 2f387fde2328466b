/** Names that could be mistaken for the service itself, or for a part of the app. */
const reserved = new Set(
  "about admin administrator all api community communities everyone feed help home hot mod moderator native new official none null popular search settings staff support system tandem undefined".split(
    " ",
  ),
);

export function isReservedName(name: string): boolean {
  return reserved.has(name);
}
