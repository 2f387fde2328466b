import type { Post } from "@tandem/contract/resources";
import { createContext, use } from "react";

/** What every comment of a thread knows of its surroundings. */
export interface Thread {
  post: Post;
  /** Ids of comments that are folded up, with what is beneath them. */
  folded: ReadonlySet<number>;
  fold(id: number): void;
  /** The comment that the address leads to. */
  target: number | null;
  /** Whether the reader wants AI comments to step back. */
  dimmed: boolean;
  /** Shows what the reader's preference hides, on this page. */
  showHidden(): void;
}

export const ThreadHolder = createContext<Thread | null>(null);

export function useThread(): Thread {
  const thread = use(ThreadHolder);
  if (!thread) throw new Error("outside of a thread");
  return thread;
}
