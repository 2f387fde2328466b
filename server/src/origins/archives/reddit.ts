import { webAddress } from "../clean/address.ts";
import { decode } from "../clean/charset.ts";
import { nameOf, titleOf } from "../clean/text.ts";
import { timeOrNull } from "../clean/time.ts";
import type { ArchiveReader, Collector, FoundPost } from "./archive.ts";
import { csvHeader, csvRecords } from "./csv.ts";
import { markdownBody, withoutMentions } from "./to-markdown.ts";

/* Reddit: reddit.com/settings/data-request. A zip file of tables. */

type Row = Record<string, string>;

/** By file: what each row is, and the columns that tell it from other files. */
const tables: Record<string, { columns: string[]; add: (row: Row, collector: Collector) => void }> = {
  "posts.csv": { columns: ["id", "permalink", "title", "body"], add: addPost },
  "comments.csv": { columns: ["id", "permalink", "parent", "body"], add: addComment },
  "saved_posts.csv": { columns: ["id", "permalink"], add: addSaved },
  "subscribed_subreddits.csv": { columns: ["subreddit"], add: addSubreddit },
  "friends.csv": { columns: ["username"], add: addFriend },
};

const baseOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);

export const reddit: ArchiveReader = {
  reads: (name) => Object.hasOwn(tables, baseOf(name)),

  nameOf(bytes) {
    const header = csvHeader(decode(bytes.subarray(0, 100_000), null));
    const found = Object.entries(tables).find(([, { columns }]) =>
      columns.every((one) => header.includes(one)),
    );
    return found?.[0] ?? null;
  },

  read(files, collector) {
    for (const { name, bytes } of files) {
      const table = tables[baseOf(name)];
      for (const row of csvRecords(decode(bytes, null))) table?.add(row, collector);
    }
  },
};

function addPost(row: Row, collector: Collector): void {
  if (collector.wants("posts")) collector.addPost(postOf(row));
}

function postOf(row: Row): FoundPost {
  const { id = "", permalink, date, title = "", url, body = "" } = row;
  const own = webAddress(permalink, "https://www.reddit.com");
  if (!/^\w{1,20}$/.test(id)) return "invalid";
  const isGone = /^\[(?:removed|deleted)\]$/.test(body.trim());
  const address = webAddress(url, "https://www.reddit.com");
  // Pictures and videos are only linked; the export doesn't contain them.
  const losesMedia = /^https:\/\/(?:i|v|preview)\.redd\.it\/|^https:\/\/www\.reddit\.com\/gallery\//.test(
    address ?? "",
  );
  const isOwn = address === null || losesMedia || pathOf(address) === pathOf(own);
  return {
    key: `t3_${id}`,
    url: own,
    title: titleOf(title),
    body: isGone ? null : markdownBody(withoutMentions(body)),
    link: isOwn ? null : address,
    postedAt: timeOrNull(date),
    contentWarning: null,
    sensitive: false,
    pictures: [],
    losesMedia,
  };
}

const pathOf = (address: string | null) => address && new URL(address).pathname.replace(/\/$/, "");

function addComment(_row: Row, collector: Collector): void {
  if (collector.wants("posts")) collector.leave("posts", "reply");
}

function addSaved({ id = "", permalink }: Row, collector: Collector): void {
  if (!collector.wants("bookmarks")) return;
  const name = webAddress(permalink, "https://www.reddit.com");
  if (!name || !/^\w{1,20}$/.test(id)) collector.leave("bookmarks", "invalid");
  else collector.found.bookmarks.set(id, { name, key: `t3_${id}`, platforms: ["reddit"] });
}

function addSubreddit({ subreddit }: Row, collector: Collector): void {
  const community = nameOf(subreddit);
  // The subscription to someone's own page is how Reddit follows people.
  if (community?.startsWith("u_")) addFriend({ username: community.slice(2) }, collector);
  else if (community && collector.wants("communities"))
    collector.found.communities.set(community.toLowerCase(), { name: `r/${community}`, community });
}

function addFriend({ username }: Row, collector: Collector): void {
  const author = nameOf(username);
  if (!collector.wants("follows") || !author) return;
  collector.found.follows.set(`u/${author.toLowerCase()}`, {
    name: `u/${author}`,
    author,
    platform: "reddit",
  });
}
