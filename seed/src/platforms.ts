import { type OriginPlatform, originNames } from "@tandem/contract/origins";
import type { MediaType } from "@tandem/contract/post-resources";
import { creatures, firstNames, lastNames, qualities } from "./corpus/common.ts";
import type { Source } from "./model.ts";
import { Random } from "./random.ts";
import { capitalize } from "./templates.ts";
import { topicNames } from "./text.ts";

interface PlatformStyle {
  /** Its part of the imported posts, in proportion to the others. */
  share: number;
  media: Record<MediaType, number>;
  hasTitles: boolean;
  /** The probability that a post has a body. */
  bodies: number;
  /** The mean score of its posts. */
  score: number;
  source(topic: string): { name: string; community: string };
  author(handle: string, fullName: string): string;
  permalink(source: Source, author: string, code: string): string;
}

const mediaShares = (media: Partial<Record<MediaType, number>>): Record<MediaType, number> => ({
  text: 0,
  image: 0,
  video: 0,
  gif: 0,
  link: 0,
  ...media,
});

/** What each platform's posts look like. */
export const platformStyles: Record<OriginPlatform, PlatformStyle> = {
  reddit: {
    share: 30,
    media: mediaShares({ text: 35, link: 20, image: 30, video: 8, gif: 7 }),
    hasTitles: true,
    bodies: 0.5,
    score: 240,
    source: (topic) => ({ name: `r/${topic}`, community: topic }),
    author: (handle) => handle.replace("-", "_"),
    permalink: ({ community }, _author, code) =>
      `https://reddit.example.org/r/${community}/comments/${code}/`,
  },
  lemmy: {
    share: 14,
    media: mediaShares({ text: 40, link: 30, image: 25, video: 2, gif: 3 }),
    hasTitles: true,
    bodies: 0.5,
    score: 40,
    source: (topic) => ({ name: `!${topic}@lemmy.example.org`, community: topic }),
    author: (handle) => `${handle.replace("-", "")}@lemmy.example.org`,
    permalink: (_source, _author, code) => `https://lemmy.example.org/post/${Number.parseInt(code, 36)}`,
  },
  piefed: {
    share: 4,
    media: mediaShares({ text: 40, link: 30, image: 28, video: 2 }),
    hasTitles: true,
    bodies: 0.5,
    score: 20,
    source: (topic) => ({ name: `!${topic}@piefed.example.org`, community: topic }),
    author: (handle) => `${handle.replace("-", "")}@piefed.example.org`,
    permalink: (_source, _author, code) => `https://piefed.example.org/post/${Number.parseInt(code, 36)}`,
  },
  mastodon: {
    share: 16,
    media: mediaShares({ text: 60, link: 10, image: 25, video: 3, gif: 2 }),
    hasTitles: false,
    bodies: 1,
    score: 12,
    source: (topic) => ({ name: `#${topic}`, community: topic }),
    author: (handle) => `${handle.replace("-", "")}@social.example.org`,
    permalink: (_source, author, code) =>
      `https://social.example.org/@${author}/1${Number.parseInt(code, 36)}`,
  },
  bluesky: {
    share: 14,
    media: mediaShares({ text: 65, link: 12, image: 20, video: 3 }),
    hasTitles: false,
    bodies: 1,
    score: 20,
    source: (topic) => ({ name: `${capitalize(topic)} feed`, community: topic }),
    author: (handle) => `${handle}.sky.example.org`,
    permalink: (_source, author, code) => `https://sky.example.org/profile/${author}/post/${code}`,
  },
  hackernews: {
    share: 8,
    media: mediaShares({ text: 25, link: 75 }),
    hasTitles: true,
    bodies: 0.3,
    score: 90,
    source: () => ({ name: "Hacker News", community: "newest" }),
    author: (handle) => handle.replace("-", ""),
    permalink: (_source, _author, code) =>
      `https://hackernews.example.org/item?id=${Number.parseInt(code, 36) % 10 ** 8}`,
  },
  youtube: {
    share: 8,
    media: mediaShares({ video: 1 }),
    hasTitles: true,
    bodies: 0.8,
    score: 300,
    source: (topic) => ({
      name: `The ${capitalize(topic)} Hour`,
      community: `The ${capitalize(topic)} Hour`,
    }),
    author: (_handle, fullName) => fullName,
    permalink: (_source, _author, code) => `https://youtube.example.org/watch?v=${code}`,
  },
  peertube: {
    share: 2,
    media: mediaShares({ video: 1 }),
    hasTitles: true,
    bodies: 0.6,
    score: 8,
    source: (topic) => ({ name: `${capitalize(topic)} on Video`, community: `${topic}@video.example.org` }),
    author: (handle) => `${handle.replace("-", "_")}@video.example.org`,
    permalink: (_source, _author, code) => `https://video.example.org/w/${code}`,
  },
  rss: {
    share: 10,
    media: mediaShares({ text: 20, link: 80 }),
    hasTitles: true,
    bodies: 0.7,
    score: 0,
    source: (topic) => ({ name: `${capitalize(topic)} Weekly`, community: `${topic}-weekly.example.org` }),
    author: (_handle, fullName) => fullName,
    permalink: ({ community }, _author, code) => `https://${community}/${code}`,
  },
};

/** A source per platform and topic, without duplicates. */
export function allSources(): Source[] {
  const found = new Map<string, Source>();
  for (const platform of originNames) {
    for (const topic of topicNames) {
      const { name, community } = platformStyles[platform].source(topic);
      const key = `${platform} ${name}`;
      if (!found.has(key)) found.set(key, { id: 0, platform, name, community, topic });
    }
  }
  return [...found.values()];
}

/** The name of the author with this number on a platform. */
export function externalAuthor(platform: OriginPlatform, number: number): string {
  const random = new Random("author", platform, number);
  const suffix = number < 1000 ? "" : String(number);
  const handle = `${random.pick(qualities)}-${random.pick(creatures)}${suffix}`;
  return platformStyles[platform].author(handle, `${random.pick(firstNames)} ${random.pick(lastNames)}`);
}
