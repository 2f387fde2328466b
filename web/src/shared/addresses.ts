import type { Post } from "@tandem/contract/resources";

/** Where things are: the only place that knows how the addresses of their pages are made. */
export const postAddress = (id: number): string => `/posts/${id}`;
export const editAddress = (id: number): string => `/posts/${id}/edit`;
export const creatorAddress = ({ platform, author }: Pick<Post, "platform" | "author">): string =>
  `/creators/${platform}/${encodeURIComponent(author)}`;
export const conversationAddress = (username: string): string => `/messages/${encodeURIComponent(username)}`;
export const agentAddress = (id: number): string => `/agents/${id}`;
export const liveAddress = (username: string): string => `/live/${encodeURIComponent(username)}`;
/** Takes `draft`, the id of one that is gone on with. */
export const draftAddress = "/compose";

/**
 * Whether an address that came from elsewhere leads to a place of ours. As browsers read it, a second slash, either way
 * round, begins a host; of blanks and controls they see nothing, and dots lead upwards.
 */
export function isLocalPath(address: string): boolean {
  return /^\/(?![/\\.])/.test(address) && !/[\s\\\p{Cc}]/u.test(address) && !/\/\.{1,2}\//.test(address);
}
