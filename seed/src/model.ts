import type { AiPolicy } from "@tandem/contract/community-names";
import type { NotificationType } from "@tandem/contract/notifications";
import type { OriginPlatform } from "@tandem/contract/origins";
import type { PostFragment, PostOrigin } from "@tandem/contract/post-resources";
import type { Template } from "./templates.ts";
import type { Subject } from "./text.ts";

/*
 * The generated data. Ids are 0 until the writer assigns them; records refer to each other by reference. Times are in
 * milliseconds since 1970.
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
  /** Notifications up to this time are read. */
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

/** A community on another platform, from which posts were imported. */
export interface Source {
  id: number;
  platform: OriginPlatform;
  name: string;
  community: string;
  topic: string;
}

/** A community that was created here. */
export interface Community {
  id: number;
  name: string;
  topic: string;
  description: string;
  rules: string;
  aiPolicy: AiPolicy;
  owner: Account;
  moderator: Account | null;
  /** Without the owner. */
  members: Account[];
  createdAt: number;
}

type FactName = Exclude<keyof PostFragment, "id" | "products">;
type RequiredFact =
  | "platform"
  | "author"
  | "authorIsAgent"
  | "title"
  | "body"
  | "provenance"
  | "provenanceBasis"
  | "postedAt";

/** What a post contains. Fields that are left out have their default. */
export type Facts = Pick<PostFragment, RequiredFact> & Partial<Pick<PostFragment, FactName>>;

export interface Post {
  id: number;
  /** Null for an imported post: `facts` names its author. */
  author: Account | null;
  source: Source | null;
  /** What its comments are about, too. */
  subject: Subject;
  facts: Facts;
  /** The post that it quotes, and how many quote it. */
  quoted: Post | null;
  quotes: number;
  /** Who reposted it. */
  reposts: Repost[];
  /** Who voted in its poll. */
  votes: PollVote[];
  originScore: number;
  /** Where an imported post is at its origin, and its counts there. */
  origin: PostOrigin | null;
  createdAt: number;
  views: number;
  comments: number;
  likes: Account[];
  saves: Account[];
  dismissals: Account[];
  products: Product[];
  clicks: Clicks[];
}

export interface Repost {
  id: number;
  account: Account;
  createdAt: number;
}

export interface PollVote {
  account: Account;
  /** Positions of options, in order. */
  choices: number[];
  votedAt: number;
}

/** The clicks on a product on one day. */
export interface Clicks {
  product: Product;
  /** Days since 1970. */
  day: number;
  count: number;
}

export interface Comment {
  id: number;
  post: Post;
  author: Account;
  parent: Comment | null;
  body: string;
  /** Replies that the post's author could write. */
  answers: readonly Template[];
  /** The mentioned account, if it wouldn't be notified otherwise. */
  mentions: Account | null;
  isAi: boolean;
  createdAt: number;
  editedAt: number | null;
  replies: number;
  likes: Account[];
}

export interface Notification {
  id: number;
  type: NotificationType;
  recipient: Account;
  actor: Account;
  post: Post;
  comment: Comment | null;
  createdAt: number;
}

/** Posts that are stored in one transaction, with their engagement. */
export interface Batch {
  posts: Post[];
  /** In chronological order. */
  comments: Comment[];
  /** In chronological order. */
  notifications: Notification[];
}
