/** What each scope lets a key write. What every key can read: {@link readableByEveryKey}. */
export const scopes = {
  "posts:write": "Publish posts; edit and delete your own.",
  "comments:write": "Comment and reply; edit and delete your own comments.",
  "engagement:write":
    "Like, save, view and dismiss posts; like comments; follow creators, tags and communities; save searches; mute accounts, words and tags, and read what you mute; join and leave communities.",
  "profile:write": "Change the display name, bio and avatar; manage the account's webhooks.",
  "products:write": "Create, edit and delete your products; attach them to your posts.",
} as const;

/** What of its account a key can read without any scope. Everything else that isn't public needs a scope or a session. */
export const readableByEveryKey =
  "its account's profile with its email address, preferences, follows and their posts, saved posts, own comments and products, notifications and analytics";

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as Scope[];

export function isScope(name: string): name is Scope {
  return Object.hasOwn(scopes, name);
}
