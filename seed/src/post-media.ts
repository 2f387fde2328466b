import type { MediaType } from "@tandem/contract/post-resources";
import type { Gallery } from "./gallery.ts";
import type { Facts } from "./model.ts";
import type { Random } from "./random.ts";
import { line } from "./text.ts";

const pictureSizes = [
  [1600, 1200],
  [1200, 1600],
  [1920, 1080],
  [1080, 1080],
  [1080, 1350],
  [3024, 4032],
] as const;
const gifSizes = [
  [480, 270],
  [480, 360],
  [360, 480],
] as const;
const videoSizes = [
  [1920, 1080],
  [1280, 720],
  [1080, 1920],
] as const;

const kinds = {
  image: { folder: "photos", extensions: ["webp", "jpg", "png"], sizes: pictureSizes },
  gif: { folder: "loops", extensions: ["gif"], sizes: gifSizes },
  video: { folder: "videos", extensions: ["mp4", "webm"], sizes: videoSizes },
} as const;

export function needsMedia(type: MediaType): type is keyof typeof kinds {
  return type in kinds;
}

/** A picture or video from the gallery; without a gallery, one that doesn't exist. */
export function createMedia(
  random: Random,
  mediaType: keyof typeof kinds,
  topic: string,
  gallery: Gallery | null,
): Partial<Facts> {
  const picture = gallery && random.pick(gallery[mediaType]);
  if (!picture) return fictionalMedia(random, mediaType, topic);
  const { full, feed, width, height, thumbHash, alt: described, seconds } = picture;
  const alt = random.chance(0.75) ? described : null;
  return {
    ...(mediaType === "image" && severalFrom(gallery.image, picture, alt)),
    mediaType,
    mediaUrl: full,
    thumbnailUrl: feed,
    width,
    height,
    durationSeconds: seconds,
    alt,
    thumbHash,
  };
}

/** Every fifth picture is the first of several: it and those after it in the gallery. */
function severalFrom(
  all: Gallery["image"],
  first: Gallery["image"][number],
  alt: string | null,
): Pick<Facts, "pictures"> {
  const at = all.indexOf(first);
  const pictures = all.slice(at, at + 2 + (at % 4));
  if (at % 5 !== 0 || pictures.length < 2) return {};
  return {
    pictures: pictures.map((picture, i) => ({
      url: picture.full,
      width: picture.width,
      height: picture.height,
      alt: i === 0 ? alt : picture.alt,
      thumbnailUrl: picture.feed,
      thumbHash: picture.thumbHash,
    })),
  };
}

/** At an address that is reserved for examples. */
function fictionalMedia(random: Random, mediaType: keyof typeof kinds, topic: string): Partial<Facts> {
  const { folder, extensions, sizes } = kinds[mediaType];
  const [width, height] = random.pick<readonly [number, number]>(sizes);
  const name = `${topic}-${createCode(random)}`;
  const seconds = mediaType === "video" ? 4 + random.longTail(180, 7200) : random.between(12, 90) / 10;
  return {
    mediaType,
    mediaUrl: `https://media.example.org/${folder}/${name}.${random.pick(extensions)}`,
    thumbnailUrl: `https://media.example.org/thumbnails/${name}.webp`,
    width,
    height,
    durationSeconds: mediaType === "image" ? null : seconds,
    alt: random.chance(0.75) ? line(random, "alt", topic) : null,
  };
}

/** A link to another site, usually with a card. */
export function createLink(
  random: Random,
  topic: string,
  title: string,
  gallery: Gallery | null,
): Partial<Facts> {
  const [host, siteName] = random.pick([
    [`${topic}-weekly.example.org`, `The ${topic} weekly`],
    ["news.example.org", "Example News"],
    [`the-${topic}-blog.example.net`, `A blog on ${topic}`],
    ["journal.example.com", "Example Journal"],
    ["code.example.org", "Code at Example"],
  ] as const);
  const url = `https://${host}/${random.between(2019, 2026)}/${slug(title)}-${createCode(random)}`;
  const card = random.chance(0.8) ? createCard(random, topic, { title, siteName, gallery }) : {};
  return { mediaType: "link", mediaUrl: url, url, ...card };
}

function createCard(
  random: Random,
  topic: string,
  { title, siteName, gallery }: { title: string; siteName: string; gallery: Gallery | null },
): Pick<Facts, "card" | "thumbnailUrl" | "thumbHash"> {
  const picture = gallery && random.pick(gallery.image);
  const address = picture?.feed ?? `https://media.example.org/cards/${topic}-${createCode(random)}.webp`;
  const imageUrl = random.chance(0.7) ? address : null;
  const description = random.chance(0.8) ? line(random, "summary", topic) : null;
  const preview = imageUrl && picture && { thumbnailUrl: picture.feed, thumbHash: picture.thumbHash };
  return { card: { title, description, imageUrl, siteName }, ...preview };
}

/** Seven letters and digits, like the ids in many sites' URLs. */
export function createCode(random: Random): string {
  return Math.floor(random.next() * 36 ** 7)
    .toString(36)
    .padStart(7, "0");
}

/** A title in the form that URLs contain: ASCII letters and digits, with hyphens between them. */
export function slug(title: string): string {
  const letters = title.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const ascii = letters.replace(/[^a-z0-9]+/g, "-");
  return ascii.slice(0, 60).replace(/^-|-$/g, "") || "post";
}
