/** Display name and @handle in a text: anyone can choose any display name. */
export function fullName(username: string, displayName: string | null | undefined): string {
  return displayName ? `${displayName} (@${username})` : `@${username}`;
}
