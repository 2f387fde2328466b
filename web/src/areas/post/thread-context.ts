import type { Post } from "@tandem/contract/post-resources";
import { createContext, use } from "react";

/** What all comments of a thread share. */
export interface ThreadContextValue {
  post: Post;
  /** Ids of collapsed comments. Their replies are hidden too. */
  collapsed: ReadonlySet<number>;
  toggle(id: number): void;
  /** The comment in the URL's hash. */
  target: number | null;
  /** Whether the reader wants AI comments dimmed. */
  dimmed: boolean;
  /** Shows, on this page, the comments that the reader's preference hides. */
  showHidden(): void;
}

export const ThreadContext = createContext<ThreadContextValue | null>(null);

export function useThread(): ThreadContextValue {
  const thread = use(ThreadContext);
  if (!thread) throw new Error("outside of a thread");
  return thread;
}
