import type { Generated } from "kysely";

/** A collection of saved posts, which only its account sees. */
export interface CollectionRow {
  id: Generated<number>;
  user_id: number;
  name: string;
  post_count: Generated<number>;
  created_at: number;
}

/** A search that its account saved. */
export interface SavedSearchRow {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** Its filters, as JSON. */
  query: string;
  /** Posts up to this id count as seen. */
  seen_upto: number;
  created_at: number;
}

/** A post in a collection. It is among the saved posts of the account, too. */
export interface CollectionPostRow {
  collection_id: number;
  /** One of the numbers of collections. Ascends in the order in which posts are added. */
  id: number;
  post_id: number;
  /** The collection's account. */
  user_id: number;
}
