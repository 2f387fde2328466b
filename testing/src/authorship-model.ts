import type { ProfileField } from "@tandem/contract/resources";
import type { Caller, Person } from "./callers.ts";
import type { McpSession } from "./mcp-clients.ts";
import type { Tandem } from "./tandem.ts";

/** The model of who wrote what, for the property test of authorship. */

/** What readers can learn of a text: who wrote it. */
export type Said = "human" | "ai_assisted" | "ai_generated";

export type Kind = "post" | "comment" | "product" | "message" | "live" | "community" | ProfileField;

/** A text or picture that others can see. */
export interface Item {
  kind: Kind;
  /** The account that it belongs to. */
  account: Account;
  /** Occurs in its title or only text, and nowhere else. For an avatar, its address. */
  token: string;
  /** The tokens of its other texts, by field. */
  more?: Map<string, string>;
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
export interface DraftItem extends Omit<Item, "kind"> {
  id: number;
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

export const aiActors = actors.filter((actor) => actor !== "ada");

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
  /** A friend of the person who blocks their agent. */
  carol: Person;
  bobsPost: number;
  botId: number;
  /** The person's community, which their agent joined. */
  community: string;
  /** A list of ada's with herself and the agent. */
  listId: number;
  names: Record<Account, string>;
  callers: Record<Exclude<Actor, "mcp">, Caller>;
  mcp: McpSession;
  picture: Blob;
  posts: PostItem[];
  comments: CommentItem[];
  products: ProductItem[];
  messages: Item[];
  lives: Map<Account, Item>;
  /** The description and rules of the community. */
  communityTexts: Map<string, Item>;
  profile: Map<`${Account} ${ProfileField}`, Item>;
  drafts: DraftItem[];
  /** Who introduced each token: whether a key or agent did. Earlier versions keep tokens that are shown nowhere else. */
  introducedByAi: Map<string, boolean>;
  /** What the responses to writes said since it was last compared. */
  answers: Observation[];
}

/** What one of the service's readers shows: the text or picture with this token, and who wrote it. */
export interface Observation {
  token: string;
  said: Said;
}

/** Everything in the model that others can see. */
export function itemsIn(world: World): Item[] {
  const { posts, comments, products, messages, lives, communityTexts, profile } = world;
  return [
    ...[...posts, ...comments, ...products, ...messages],
    ...[...lives.values(), ...communityTexts.values(), ...profile.values()],
  ];
}

/** Each item by each of its tokens. */
export function itemsByToken(world: World): Map<string, Item> {
  return new Map(
    itemsIn(world).flatMap((item) =>
      [item.token, ...(item.more?.values() ?? [])].map((token) => [token, item] as const),
    ),
  );
}
