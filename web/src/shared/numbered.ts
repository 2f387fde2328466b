/** The texts with their numbers, without those that are empty. */
export function numbered(texts: readonly (string | null)[]): string[] {
  return texts.flatMap((text, i) => (text ? [`${i + 1}. ${text}`] : []));
}
