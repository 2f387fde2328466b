import type { NotificationType } from "@tandem/contract/notifications";
import type { OriginPlatform } from "@tandem/contract/origins";
import type { PostFacts } from "../../storage/post-fragment.ts";
import type { Phrase } from "./grammar.ts";
import type { Subject } from "./text.ts";

/*
 * What the seed has thought up before it is written. Ids are 0 until the write that sets them aside; those who
 * refer to one another do so by reference.
 */

export interface Account {
  id: number;
  creatorId: number;
  username: string;
  displayName: string;
  avatarUrl: string | null;
  bio: string | null;
  isAgent: boolean;
  operator: Account | null;
  /** What it posts about. */
  topic: string;
  joinedAt: number;
  /** Notifications up to then are read. */
  lastSeen: number;
  products: Product[];
}

export interface Product {
  id: number;
  owner: Account;
  title: string;
  url: string;
  imageUrl: string;
  price: string | number | null;
  category: string;
  createdAt: number;
}

/** A community on an origin, from which posts were gathered. */
export interface Source {
  id: number;
  platform: OriginPlatform;
  name: string;
  community: string;
  topic: string;
}

export type Facts = Omit<PostFacts, "products">;

export interface Post {
  id: number;
  /** Who made it here; null for a post of another platform, whose author the facts name. */
  by: Account | null;
  source: Source | null;
  /** What it is about, for those who speak of it. */
  about: Subject;
  facts: Facts;
  originScore: number;
  postedAt: number;
  views: number;
  comments: number;
  likes: Account[];
  saves: Account[];
  dismissals: Account[];
  products: Product[];
  clicks: Click[];
}

export interface Click {
  product: Product;
  day: number;
  clicks: number;
}

export interface Comment {
  id: number;
  post: Post;
  by: Account;
  parent: Comment | null;
  body: string;
  /** What the post's author could say to it. */
  answers: readonly Phrase[];
  /** The account that it mentions, if that account wouldn't be notified otherwise. */
  mentions: Account | null;
  isAi: boolean;
  at: number;
  editedAt: number | null;
  replies: number;
  likes: Account[];
}

export interface Notice {
  id: number;
  type: NotificationType;
  to: Account;
  by: Account;
  post: Post | null;
  comment: Comment | null;
  at: number;
}

/** Posts that are written in one transaction, with all that happened on them. */
export interface Batch {
  posts: Post[];
  /** In the order of their times, as are the notices. */
  comments: Comment[];
  notices: Notice[];
}
