/** What others wrote can't command the terminal. */
export function shown(text: string): string {
  return text.replace(/\p{C}/gu, "");
}
