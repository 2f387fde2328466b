/** A name as it is shown: in a line. */
export const inOneLine = (name: string): string => name.trim().replace(/\s+/gu, " ");
