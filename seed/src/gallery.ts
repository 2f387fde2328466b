import { readFile } from "node:fs/promises";
import { createAvatar, createMovingScene, createProductPicture, createScene, type Size } from "./drawings.ts";
import { paint, paintLoop, thumbHashOf } from "./paint.ts";
import { Random } from "./random.ts";

/** A stored picture or video. */
export interface Picture extends Size {
  /** The URL of the full size. */
  full: string;
  /** The URL of the size for feeds. */
  feed: string;
  thumbHash: string;
  alt: string;
  /** The duration; null for a still picture. */
  seconds: number | null;
}

/** The pictures of the demo data. Posts share them, so many posts need no more than `FULL_GALLERY`. */
export interface Gallery {
  image: Picture[];
  gif: Picture[];
  video: Picture[];
  /** URLs. */
  avatars: { people: string[]; agents: string[] };
  /** URLs. */
  products: string[];
}

export interface PictureFile extends Size {
  /** Without extension; random, like the names of uploaded files. */
  name: string;
  extension: "webp" | "mp4";
  variant: "full" | "feed" | "large" | "video";
  bytes: Buffer;
}

/** Stores a file, and returns its URL. */
export type StorePicture = (file: PictureFile) => Promise<string>;

/** So many posts have all of these pictures. Fewer have fewer, because painting takes most of the time then. */
const FULL_GALLERY = 400;
const IMAGES = 48;
const LOOPS = 6;
const AVATARS = { people: 60, agents: 36 };
const PRODUCTS = 24;
const LOOP_FRAMES = 12;
const FRAME_MILLISECONDS = 120;
/** The longer side in feeds, in pixels. */
const FEED_SIZE = 640;
const AVATAR_SIZE = 256;
const imageSizes: Size[] = [
  { width: 1280, height: 960 },
  { width: 960, height: 1280 },
  { width: 1280, height: 720 },
  { width: 1080, height: 1080 },
  { width: 1024, height: 1280 },
];
const loopSize = { width: 400, height: 300 };

/** The videos in `clips/` show `createMovingScene(new Random("clip", number), number, clipSize)`. */
const CLIPS = 3;
const CLIP_SECONDS = 6;
const clipSize = { width: 640, height: 360 };

/** Paints and stores all pictures for so many posts. */
export async function paintGallery(random: Random, posts: number, store: StorePicture): Promise<Gallery> {
  const painter = new Painter(random, store);
  const some = (most: number) => Math.ceil(most * Math.min(1, posts / FULL_GALLERY));
  return {
    image: await repeat(some(IMAGES), (i) => painter.image(i)),
    gif: await repeat(some(LOOPS), (i) => painter.loop(i)),
    video: await repeat(CLIPS, (i) => painter.clip(i)),
    avatars: {
      people: await repeat(some(AVATARS.people), (i) =>
        painter.square(createAvatar(random, i, false), AVATAR_SIZE),
      ),
      agents: await repeat(some(AVATARS.agents), (i) =>
        painter.square(createAvatar(random, i + 3, true), AVATAR_SIZE),
      ),
    },
    products: await repeat(some(PRODUCTS), (i) => painter.square(createProductPicture(random, i), FEED_SIZE)),
  };
}

class Painter {
  readonly #random: Random;
  readonly #store: StorePicture;

  constructor(random: Random, store: StorePicture) {
    this.#random = random;
    this.#store = store;
  }

  async image(number: number): Promise<Picture> {
    const size = imageSizes[number % imageSizes.length] as Size;
    const { alt, frame } = createScene(this.#random, number, size);
    const bytes = await paint(frame(0), size.width);
    const full = await this.#save({ bytes, extension: "webp", variant: "full", ...size });
    return { full, ...(await this.#preview(frame(0), size)), ...size, alt, seconds: null };
  }

  async loop(number: number): Promise<Picture> {
    const { alt, frame } = createMovingScene(this.#random, number, loopSize);
    const frames = Array.from({ length: LOOP_FRAMES }, (_, i) => frame(i / LOOP_FRAMES));
    const bytes = await paintLoop(frames, FRAME_MILLISECONDS);
    const full = await this.#save({ bytes, extension: "webp", variant: "full", ...loopSize });
    const seconds = (LOOP_FRAMES * FRAME_MILLISECONDS) / 1000;
    return { full, ...(await this.#preview(frame(0), loopSize)), ...loopSize, alt, seconds };
  }

  async clip(number: number): Promise<Picture> {
    const { alt, frame } = createMovingScene(new Random("clip", number), number, clipSize);
    const bytes = await readFile(new URL(`clips/${number}.mp4`, import.meta.url));
    const full = await this.#save({ bytes, extension: "mp4", variant: "video", ...clipSize });
    return { full, ...(await this.#preview(frame(0), clipSize)), ...clipSize, alt, seconds: CLIP_SECONDS };
  }

  /** Returns the URL. */
  async square(svg: string, side: number): Promise<string> {
    const bytes = await paint(svg, side);
    return this.#save({ bytes, extension: "webp", variant: "large", width: side, height: side });
  }

  async #preview(svg: string, { width, height }: Size): Promise<Pick<Picture, "feed" | "thumbHash">> {
    const scale = Math.min(1, FEED_SIZE / Math.max(width, height));
    const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
    const bytes = await paint(svg, size.width);
    const feed = await this.#save({ bytes, extension: "webp", variant: "feed", ...size });
    return { feed, thumbHash: await thumbHashOf(svg) };
  }

  #save(file: Omit<PictureFile, "name">): Promise<string> {
    const name = Buffer.from(Array.from({ length: 32 }, () => this.#random.between(0, 255)));
    return this.#store({ ...file, name: name.toString("base64url") });
  }
}

/** One after the other, because they share a random generator. */
async function repeat<T>(count: number, create: (number: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < count; i += 1) results.push(await create(i));
  return results;
}
