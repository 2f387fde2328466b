/** The formats in which the service tells a reader's program of posts, by the end of their addresses. */
const formats = {
  rss: { type: "application/rss+xml", title: "RSS" },
  atom: { type: "application/atom+xml", title: "Atom" },
  json: { type: "application/feed+json", title: "JSON Feed" },
} as const;

/** Where the feeds of what a page shows are, as its head names them. */
export const feedsOf = (address: string) =>
  Object.entries(formats).map(([end, { type, title }]) => ({ type, title, href: `${address}/feed.${end}` }));
