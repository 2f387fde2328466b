import { nativePlatform } from "@tandem/contract/origins";

/** Display name and @handle in a text: anyone can choose any display name. */
export function fullName(username: string, displayName: string | null | undefined): string {
  const handle = `@${username}`;
  if (!displayName) return handle;
  // Isolated after a right-to-left name, where the @ would move to the handle's other end.
  return `${displayName} (${/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(displayName) ? `\u2066${handle}\u2069` : handle})`;
}

/** The same of an author, who on another platform has only a name. */
export function fullNameOf(author: {
  platform: string;
  author: string;
  displayName?: string | null | undefined;
}): string {
  const { platform, author: name, displayName } = author;
  return platform === nativePlatform ? fullName(name, displayName) : (displayName ?? name);
}

/** What a text calls an author: the @handle, or, of one on another platform, the name there. */
export function handleOf({ platform, author }: { platform: string; author: string }): string {
  return platform === nativePlatform ? `@${author}` : author;
}
