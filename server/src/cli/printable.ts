/** Removes control characters, so that external text can't send commands to the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "");
}
