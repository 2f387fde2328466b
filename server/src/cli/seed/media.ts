import type { MediaType } from "@tandem/contract/resources";
import type { Gallery } from "./gallery.ts";
import type { Facts } from "./plan.ts";
import type { Random } from "./random.ts";
import { line } from "./text.ts";

type Media = Pick<
  Facts,
  "mediaType" | "mediaUrl" | "thumbnailUrl" | "width" | "height" | "durationSeconds" | "alt" | "thumbHash"
>;

const pictureSizes = [
  [1600, 1200],
  [1200, 1600],
  [1920, 1080],
  [1080, 1080],
  [1080, 1350],
  [3024, 4032],
] as const;
const videoSizes = [
  [1920, 1080],
  [1280, 720],
  [1080, 1920],
] as const;

const kinds = {
  image: { folder: "photos", endings: ["webp", "jpg", "png"], sizes: pictureSizes },
  gif: {
    folder: "loops",
    endings: ["gif"],
    sizes: [
      [480, 270],
      [480, 360],
      [360, 480],
    ],
  },
  video: { folder: "videos", endings: ["mp4", "webm"], sizes: videoSizes },
} as const;

/** Something to see: out of the gallery, or, where there is none, what could exist, at addresses that are kept for examples. */
export function media(
  random: Random,
  mediaType: keyof typeof kinds,
  topic: string,
  gallery: Gallery | null,
): Media {
  const hung = gallery && random.pick(gallery[mediaType]);
  if (!hung) return imagined(random, mediaType, topic);
  const { full, feed, width, height, thumbHash, alt, seconds } = hung;
  return {
    mediaType,
    mediaUrl: full,
    thumbnailUrl: feed,
    width,
    height,
    durationSeconds: seconds,
    alt: random.chance(0.75) ? alt : null,
    thumbHash,
  };
}

function imagined(random: Random, mediaType: keyof typeof kinds, topic: string): Media {
  const { folder, endings, sizes } = kinds[mediaType];
  const [width, height] = random.pick<readonly [number, number]>(sizes);
  const name = `${topic}-${code(random)}`;
  const seconds = mediaType === "video" ? 4 + random.longTail(180, 7200) : random.between(12, 90) / 10;
  return {
    mediaType,
    mediaUrl: `https://media.example.org/${folder}/${name}.${random.pick(endings)}`,
    thumbnailUrl: `https://media.example.org/thumbnails/${name}.webp`,
    width,
    height,
    durationSeconds: mediaType === "image" ? null : seconds,
    alt: random.chance(0.75) ? line(random, "alt", topic) : null,
    thumbHash: null,
  };
}

export function hasMedia(type: MediaType): type is keyof typeof kinds {
  return type in kinds;
}

/** A page elsewhere that a post could link to. */
export function page(random: Random, topic: string, title: string): { url: string; siteName: string } {
  const [host, siteName] = random.pick([
    [`${topic}-weekly.example.org`, `The ${topic} weekly`],
    ["news.example.org", "Example News"],
    [`the-${topic}-blog.example.net`, `A blog on ${topic}`],
    ["journal.example.com", "Example Journal"],
    ["code.example.org", "Code at Example"],
  ] as const);
  return { url: `https://${host}/${random.between(2019, 2026)}/${slug(title)}-${code(random)}`, siteName };
}

/** What a linked page says of itself; now and then it says nothing. */
export function card(
  random: Random,
  topic: string,
  { title, siteName, gallery }: { title: string; siteName: string; gallery: Gallery | null },
): Pick<Facts, "card" | "thumbnailUrl" | "thumbHash"> {
  if (random.chance(0.2)) return { card: null, thumbnailUrl: null, thumbHash: null };
  const hung = gallery ? random.pick(gallery.image) : null;
  const address = hung?.feed ?? `https://media.example.org/cards/${topic}-${code(random)}.webp`;
  const imageUrl = random.chance(0.7) ? address : null;
  const description = random.chance(0.8) ? line(random, "summary", topic) : null;
  const shown = imageUrl && hung ? { thumbnailUrl: hung.feed, thumbHash: hung.thumbHash } : {};
  return { card: { title, description, imageUrl, siteName }, thumbnailUrl: null, thumbHash: null, ...shown };
}

/** Seven letters and digits, as many sites number their pages. */
export function code(random: Random): string {
  return Math.floor(random.next() * 36 ** 7)
    .toString(36)
    .padStart(7, "0");
}

/** A title as an address has it: what is no plain letter or digit becomes a hyphen. */
export function slug(title: string): string {
  const letters = title.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const plain = letters.replace(/[^a-z0-9]+/g, "-");
  return plain.slice(0, 60).replace(/^-|-$/g, "") || "post";
}
