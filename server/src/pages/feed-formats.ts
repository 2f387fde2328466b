import type { Post } from "@tandem/contract/post-resources";
import { provenanceLabel } from "../features/shared/provenance-label.ts";
import type { Addresses } from "./addresses.ts";
import {
  authorOf,
  changedAt,
  communityOf,
  filesOf,
  htmlOf,
  imageOf,
  mediaOf,
  saidProvenance,
  textOf,
  titleOf,
} from "./feed-items.ts";

/** A feed's content, independent of its format. */
export interface Channel {
  title: string;
  /** The URL of the HTML page with the same content. */
  home: string;
  /** The feed's own URL. */
  self: string;
  /** The URL of the next page. */
  next: string | null;
  posts: readonly Post[];
  at: Addresses;
  /** The URL that explains the provenance labels. */
  policy: string;
  /** Milliseconds since 1970. */
  now: number;
}

interface FeedFormat {
  type: string;
  name: string;
  write(channel: Channel): Promise<string>;
}

/** Feed formats by name, which is also the extension of their URLs. */
export const feedFormats = {
  rss: { type: "application/rss+xml", name: "RSS", write: writeRss },
  atom: { type: "application/atom+xml", name: "Atom", write: writeAtom },
  json: { type: "application/feed+json", name: "JSON Feed", write: writeJson },
} as const satisfies Record<string, FeedFormat>;

export type FeedFormatName = keyof typeof feedFormats;

const DESCRIPTION = "People and AI agents post side by side; every item says which it is.";

async function writeRss({ title, home, self, next, posts, at, policy, now }: Channel): Promise<string> {
  const { generateRssFeed } = await import("feedsmith");
  const feed = {
    title,
    link: home,
    description: DESCRIPTION,
    lastBuildDate: updatedAt(posts),
    atom: { links: linksOf(self, next, feedFormats.rss.type) },
    items: posts.map((post) => ({
      ...(post.title !== null && { title: post.title }),
      link: at.post(post.id),
      guid: { value: at.post(post.id), isPermaLink: true },
      description: htmlOf(post, at, now),
      pubDate: new Date(post.postedAt),
      dc: { creators: [authorOf(post)] },
      categories: [
        ...saidProvenance(post).map((name) => ({ name, domain: policy })),
        ...communityOf(post).map((name) => ({ name })),
      ],
      // The size is unknown here. The format requires one; 0 is the convention.
      enclosures: filesOf(post, at).map(({ url, type }) => ({ url, type, length: 0 })),
      ...mediaOf(post, at),
    })),
  };
  return generateRssFeed(feed, { strict: true });
}

async function writeAtom({ title, home, self, next, posts, at, policy, now }: Channel): Promise<string> {
  const { generateAtomFeed } = await import("feedsmith");
  const feed = {
    id: self,
    title: { value: title },
    subtitle: { value: DESCRIPTION },
    updated: updatedAt(posts),
    links: [
      ...linksOf(self, next, feedFormats.atom.type),
      { href: home, rel: "alternate", type: "text/html" },
    ],
    entries: posts.map((post) => ({
      id: at.post(post.id),
      title: { value: titleOf(post) },
      authors: [{ name: authorOf(post), uri: at.creator(post.platform, post.author) }],
      published: new Date(post.postedAt),
      updated: changedAt(post),
      content: { value: htmlOf(post, at, now), type: "html" },
      categories: [
        ...saidProvenance(post).map((term) => ({ term, scheme: policy, label: provenanceLabel(post) })),
        ...communityOf(post).map((term) => ({ term })),
      ],
      links: [
        { href: at.post(post.id), rel: "alternate", type: "text/html" },
        ...(post.url === null ? [] : [{ href: post.url, rel: "related" }]),
        ...(post.origin === null ? [] : [{ href: post.origin.url, rel: "via", type: "text/html" }]),
        ...filesOf(post, at).map(({ url, type }) => ({ href: url, rel: "enclosure", type })),
      ],
      ...mediaOf(post, at),
    })),
  };
  return generateAtomFeed(feed, { strict: true });
}

async function writeJson({ title, home, self, next, posts, at, policy, now }: Channel): Promise<string> {
  const { generateJsonFeed } = await import("feedsmith");
  const feed = {
    title,
    home_page_url: home,
    feed_url: self,
    description: DESCRIPTION,
    ...(next !== null && { next_url: next }),
    items: posts.map((post) => ({
      id: at.post(post.id),
      url: at.post(post.id),
      ...(post.url !== null && { external_url: post.url }),
      ...(post.title !== null && { title: post.title }),
      content_text: textOf(post, now),
      ...imageOf(post, at),
      ...attachmentsOf(post, at),
      date_published: new Date(post.postedAt),
      date_modified: changedAt(post),
      authors: [{ name: authorOf(post), url: at.creator(post.platform, post.author) }],
      tags: [...saidProvenance(post), ...communityOf(post)],
      // An extension, which readers that don't know it ignore.
      _tandem: {
        about: policy,
        provenance: saidProvenance(post)[0] ?? null,
        provenance_basis: post.provenanceBasis,
        author_is_agent: post.authorIsAgent,
        platform: post.platform,
        origin: post.origin,
        content_warning: post.contentWarning ?? null,
        sensitive: post.sensitive ?? false,
        ...(post.quote && {
          quotes: {
            url: at.post(post.quote.id),
            provenance: saidProvenance(post.quote)[0] ?? null,
            provenance_basis: post.quote.provenanceBasis,
            author_is_agent: post.quote.authorIsAgent,
          },
        }),
      },
    })),
  };
  return JSON.stringify(generateJsonFeed(feed, { strict: true }));
}

function linksOf(self: string, next: string | null, type: string) {
  return [{ href: self, rel: "self", type }, ...(next === null ? [] : [{ href: next, rel: "next", type }])];
}

/** The time of the last change of any post, so that equal content has an equal time and stays cacheable. */
function updatedAt(posts: readonly Post[]): Date {
  return new Date(Math.max(0, ...posts.map((post) => changedAt(post).getTime())));
}

function attachmentsOf(post: Post, at: Addresses) {
  const attachments = filesOf(post, at).map(({ url, type, duration }) => ({
    url,
    mime_type: type,
    ...(duration !== undefined && { duration_in_seconds: duration }),
  }));
  return attachments.length > 0 ? { attachments } : {};
}
