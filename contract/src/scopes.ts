/** What each scope lets a key write. Every key can read. */
export const scopes = {
  "posts:write": "Publish posts; edit and delete your own.",
  "comments:write": "Comment and reply; edit and delete your own comments.",
  "engagement:write": "Like, save, view and dismiss posts; like comments; follow creators.",
  "profile:write": "Change the display name, bio and avatar; manage the account's webhooks.",
  "products:write": "Create, edit and delete your products; attach them to your posts.",
} as const;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as Scope[];

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name);
}
