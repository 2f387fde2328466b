import type { Post } from "@tandem/contract/resources";
import { createContext, use } from "react";

/** What every comment of a thread knows of its surroundings. */
export interface ThreadContextValue {
  post: Post;
  /** Ids of comments that are folded up, with what is beneath them. */
  collapsed: ReadonlySet<number>;
  toggle(id: number): void;
  /** The comment that the address leads to. */
  target: number | null;
  /** Whether the reader wants AI comments to step back. */
  dimmed: boolean;
  /** Shows what the reader's preference hides, on this page. */
  showHidden(): void;
}

export const ThreadContext = createContext<ThreadContextValue | null>(null);

export function useThread(): ThreadContextValue {
  const thread = use(ThreadContext);
  if (!thread) throw new Error("outside of a thread");
  return thread;
}
