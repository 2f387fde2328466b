import { at, stringAt } from "./clean/json.ts";

/* Where records of Bluesky, such as posts and feeds, are shown. */

export const home = "https://bsky.app";

/** The handle; the DID of an account whose handle is no longer valid. */
export function nameIn(author: unknown): string | null {
  const handle = stringAt(author, "handle");
  return handle === "handle.invalid" ? stringAt(author, "did") : handle;
}

/** The paths of pages by the collection of the record that they show. */
const paths: Record<string, (name: string, key: string) => string> = {
  "app.bsky.feed.post": (name, key) => `/profile/${name}/post/${key}`,
  "app.bsky.feed.generator": (name, key) => `/profile/${name}/feed/${key}`,
  "app.bsky.graph.list": (name, key) => `/profile/${name}/lists/${key}`,
  "app.bsky.graph.starterpack": (name, key) => `/starter-pack/${name}/${key}`,
};

/** The page of a record by its `at://did/collection/key`. */
export function recordPage(uri: string | null, author: unknown): string | null {
  const name = nameIn(author);
  const [, collection = "", key] = /^at:\/\/[^/]+\/([^/]+)\/([^/]+)$/.exec(uri ?? "") ?? [];
  return name && key && Object.hasOwn(paths, collection) ? `${home}${paths[collection]?.(name, key)}` : null;
}

/** The quoted post, feed, list or starter pack of an embed, which is nested one level deeper beside media. */
export function quotedRecord(embed: unknown): unknown {
  return at(embed, "record", "record", "uri") ? at(embed, "record", "record") : at(embed, "record");
}

/** The page of a quoted record; null if there is none, it was deleted or its author blocks it. */
export function recordPageOf(record: unknown): string | null {
  return recordPage(stringAt(record, "uri"), at(record, "author") ?? at(record, "creator"));
}
