/** Puts a text into the clipboard; whether that went. Without HTTPS there is none, and a browser may have its reasons. */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Marks a text where it stands, to be copied by hand. */
export function mark(shown: HTMLElement): void {
  if (shown instanceof HTMLInputElement) shown.select();
  else getSelection()?.selectAllChildren(shown);
}
