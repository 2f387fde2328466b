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
/** The way in, and back to where one was. */
export const loginAddress = "/login";
