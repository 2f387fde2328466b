/** `createPost` is `tandem_create_post`. */
export function toolName(operation: string): string {
  return `tandem_${operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}
