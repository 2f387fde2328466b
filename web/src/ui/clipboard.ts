/**
 * Copies a text to the clipboard and returns whether that worked. Browsers refuse without HTTPS, among other
 * reasons.
 */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Selects an element's contents, so that the reader can copy them by hand. */
export function selectContents(element: HTMLElement): void {
  if (element instanceof HTMLInputElement) element.select();
  else getSelection()?.selectAllChildren(element);
}
