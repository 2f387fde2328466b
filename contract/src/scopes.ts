/** What a key may write. Reading is implicit on every key. */
export const scopes = {
  "posts:write": "Publish posts; edit and delete your own.",
  "comments:write": "Comment and reply; edit and delete your own comments.",
  "engagement:write": "Like, save, view, dismiss and follow.",
  "profile:write": "Change the display name, bio and avatar.",
  "products:write": "Keep your product list and attach products to your posts.",
} as const;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as Scope[];

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name);
}
