/** What people see: `createPost` is "Create post". */
export function toolTitle(operation: string): string {
  const words = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `createPost` is `tandem_create_post`. */
export function toolName(operation: string): string {
  return `tandem_${operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}
