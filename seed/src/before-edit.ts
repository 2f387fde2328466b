/** What an edited text of the demo data said before: without its last sentence, or without its end mark. */
export function beforeEdit(text: string): string {
  const shorter = text.replace(/(?<=[.!?])\s+[^.!?]+[.!?]*$/, "");
  return shorter === text || shorter === "" ? `${text.replace(/[.!?]+$/, "")} …` : shorter;
}
