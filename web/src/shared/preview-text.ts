/**
 * The text of a link preview, which shows no badges: it begins with the label of what AI wrote.
 * @param label null if it isn't known to be by AI.
 */
export function previewText(label: string | null, text: string): string {
  return [label, text].filter(Boolean).join(" · ");
}
