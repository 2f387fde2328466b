import { nativePlatform } from "@tandem/contract/origins";

/** Display name and @handle in a text: anyone can choose any display name. */
export function fullName(username: string, displayName: string | null | undefined): string {
  return displayName ? `${displayName} (@${username})` : `@${username}`;
}

/** What a text calls an author: the @handle, or, of one on another platform, the name there. */
export function handleOf({ platform, author }: { platform: string; author: string }): string {
  return platform === nativePlatform ? `@${author}` : author;
}
