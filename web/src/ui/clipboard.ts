/** Puts a text into the clipboard; whether that went. Without HTTPS there is none, and a browser may have its reasons. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Marks a text where it stands, to be copied by hand. */
export function selectContents(element: HTMLElement): void {
  if (element instanceof HTMLInputElement) element.select();
  else getSelection()?.selectAllChildren(element);
}
