import type { ProfileField } from "@tandem/contract/resources";
import type { Caller, Person } from "./callers.ts";
import type { McpSession } from "./mcp-clients.ts";
import type { Tandem } from "./tandem.ts";

/** The model of who wrote what, for the property test of authorship. */

/** What readers can learn of a text: who wrote it. */
export type Said = "human" | "ai_assisted" | "ai_generated";

export type Kind = "post" | "comment" | "product" | "message" | "live" | ProfileField;

/** A text or picture that others can see. */
export interface Item {
  kind: Kind;
  /** The account that it belongs to. */
  account: Account;
  /** Occurs in its text, and nowhere else. For an avatar, its address. */
  token: string;
  /** Whether a key or agent ever touched it. */
  ai: boolean;
  declared: Said;
}

export interface PostItem extends Item {
  id: number;
  products: ProductItem[];
}
export interface CommentItem extends Item {
  id: number;
  /** Whether a key or agent wrote it first. */
  createdByAi: boolean;
}
export interface ProductItem extends Item {
  id: number;
}
export interface DraftItem {
  id: number;
  account: Account;
  token: string;
  ai: boolean;
  declared: Said;
}

/** A person, and the agent that they operate. */
export const accounts = ["ada", "bot"] as const;
export type Account = (typeof accounts)[number];

/**
 * Who writes: the person in their session, their keys, their agent's key and session. The keys `asking` and `botAsking`
 * require approval, and the person decides immediately.
 */
export const actors = ["ada", "key", "mcp", "asking", "bot", "botAsking", "botSession"] as const;
export type Actor = (typeof actors)[number];

export const accountOf = (actor: Actor): Account => (actor.startsWith("bot") ? "bot" : "ada");

/** The rule that the test is about. */
export const isAi = (actor: Actor): boolean => actor !== "ada";

export const expected = ({ ai, declared }: Pick<Item, "ai" | "declared">): Said =>
  ai ? "ai_generated" : declared;

export interface World {
  tandem: Tandem;
  ada: Person;
  /** Someone else, who gets notifications, also by webhook. */
  bob: Person;
  bobsPost: number;
  botId: number;
  names: Record<Account, string>;
  callers: Record<Exclude<Actor, "mcp">, Caller>;
  mcp: McpSession;
  picture: Blob;
  posts: PostItem[];
  comments: CommentItem[];
  products: ProductItem[];
  messages: Item[];
  lives: Map<Account, Item>;
  profile: Map<`${Account} ${ProfileField}`, Item>;
  drafts: DraftItem[];
}

/** Everything in the model that has a text with a token. */
export function itemsIn({ posts, comments, products, messages, lives, profile }: World): Item[] {
  return [...posts, ...comments, ...products, ...messages, ...lives.values(), ...profile.values()];
}
