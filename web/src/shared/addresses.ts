import type { Post } from "@tandem/contract/post-resources";

/* Paths of the app's pages, for links to them. */

export const postAddress = (id: number): string => `/posts/${id}`;
/** Takes the query parameter `url`: the address of the post or comment whose receipt is checked. */
export const verifyAddress = "/verify";
export const editAddress = (id: number): string => `/posts/${id}/edit`;
export const quotesAddress = (id: number): string => `/posts/${id}/quotes`;
/** Takes the query parameter `quote`: the id of the post to quote. */
export const composeAddress = "/compose";
export const postVersionsAddress = (id: number): string => `/posts/${id}/versions`;
export const commentVersionsAddress = (id: number): string => `/comments/${id}/versions`;
export const creatorAddress = ({ platform, author }: Pick<Post, "platform" | "author">): string =>
  `/creators/${platform}/${encodeURIComponent(author)}`;
export const communityAddress = (name: string): string => `/c/${encodeURIComponent(name)}`;
/** The page of a community: its own, or the feed of an imported one. */
export const communityTarget = ({ platform, community }: { platform: string; community: string }) =>
  platform === "native" ? { to: communityAddress(community) } : { to: "/", search: { platform, community } };
export const listAddress = (id: number): string => `/lists/${id}`;
export const conversationAddress = (username: string): string => `/messages/${encodeURIComponent(username)}`;
export const agentAddress = (id: number): string => `/agents/${id}`;
export const claimAddress = (code: string): string => `/claim/${encodeURIComponent(code)}`;
export const liveAddress = (username: string): string => `/live/${encodeURIComponent(username)}`;
/** The page to show without a network. */
export const offlineAddress = "/offline";
/** Takes the query parameter `draft`: the id of the draft to continue. */
export const draftAddress = "/compose";

/**
 * Whether an untrusted path leads to a page of this app. Rejects what browsers would read as another host or
 * resolve differently: a second slash or backslash, whitespace and control characters, and dot
 * segments, which are `.` and `..`.
 */
export function isLocalPath(address: string): boolean {
  return /^\/(?![/\\.])/.test(address) && !/[\s\\\p{Cc}]/u.test(address) && !/\/\.{1,2}\//.test(address);
}
