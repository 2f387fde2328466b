import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inFolder } from "../../media/folder.ts";
import { mediaAddress } from "../../media/names.ts";
import { blurOf, paint, paintLoop } from "../../media/paint.ts";
import type { MediaFile } from "../../media/rows.ts";
import type { Store } from "../../media/store.ts";
import { Random } from "./random.ts";
import { face, motion, type Scene, type Size, scene, ware } from "./scenes.ts";

/** What hangs on a pictureStore: its addresses, and what is to be known of it. */
export interface Hung extends Size {
  full: string;
  feed: string;
  thumbHash: string;
  alt: string;
  /** How long it lasts, if it moves. */
  seconds: number | null;
}

/**
 * Pictures of the demo world. There are as many in a world of any size; posts share them, so none of them belongs to the
 * post that shows it.
 */
export interface Gallery {
  image: Hung[];
  gif: Hung[];
  video: Hung[];
  faces: { people: string[]; agents: string[] };
  wares: string[];
  /** All that was stored. */
  files: MediaFile[];
}

/** Where pictures are kept, and a directory in which they may lie until then. */
export interface PictureStore {
  store: Store;
  incoming: string;
}

const PICTURES = 48;
const LOOPS = 6;
const FACES = { people: 60, agents: 36 };
const WARES = 24;
/** Of what moves: how many drawings, and how long each of them is seen, in milliseconds. */
const FRAMES = 12;
const FRAME = 120;
/** Of the longer side. */
const FEED = 640;
const sizes: Size[] = [
  { width: 1280, height: 960 },
  { width: 960, height: 1280 },
  { width: 1280, height: 720 },
  { width: 1080, height: 1080 },
  { width: 1024, height: 1280 },
];
const loopSize = { width: 400, height: 300 };

/** Videos that were made once of scenes like these, for it takes an encoder: how large they are, and how long. */
export const clipSize = { width: 640, height: 360 };
export const CLIP_SECONDS = 6;
const clips = [0, 1, 2];

/** Paints them all, and keeps them: the same for the same chance. */
export async function paintGallery(pictureStore: PictureStore, random: Random): Promise<Gallery> {
  return inFolder(pictureStore.incoming, async (folder) => {
    const painter = new Painter(pictureStore.store, folder, random);
    const count = (most: number) => Array.from({ length: most }, (_, i) => i);
    return {
      image: await inTurn(count(PICTURES), (i) => painter.picture(i)),
      gif: await inTurn(count(LOOPS), (i) => painter.loop(i)),
      video: await inTurn(clips, (i) => painter.clip(i)),
      faces: {
        people: await inTurn(count(FACES.people), (i) => painter.small(face(random, i, false), 256)),
        agents: await inTurn(count(FACES.agents), (i) => painter.small(face(random, i + 3, true), 256)),
      },
      wares: await inTurn(count(WARES), (i) => painter.small(ware(random, i), FEED)),
      files: painter.files,
    };
  });
}

/** The scene of which a clip was made. */
export function clipScene(number: number): Scene {
  return motion(new Random("clip", number), number, clipSize);
}

class Painter {
  readonly files: MediaFile[] = [];
  readonly #store: Store;
  readonly #folder: string;
  readonly #random: Random;

  constructor(store: Store, folder: string, random: Random) {
    this.#store = store;
    this.#folder = folder;
    this.#random = random;
  }

  async picture(number: number): Promise<Hung> {
    const size = sizes[number % sizes.length] as Size;
    const { alt, at } = scene(this.#random, number, size);
    const drawing = at(0);
    const full = await this.#keep(await paint(drawing, size.width), "webp", "full", size);
    return { full, ...(await this.#still(drawing, size)), ...size, alt, seconds: null };
  }

  async loop(number: number): Promise<Hung> {
    const { alt, at } = motion(this.#random, number, loopSize);
    const frames = Array.from({ length: FRAMES }, (_, i) => at(i / FRAMES));
    const full = await this.#keep(await paintLoop(frames, FRAME), "webp", "full", loopSize);
    const seconds = (FRAMES * FRAME) / 1000;
    return { full, ...(await this.#still(at(0), loopSize)), ...loopSize, alt, seconds };
  }

  async clip(number: number): Promise<Hung> {
    const { alt, at } = clipScene(number);
    const bytes = await readFile(new URL(`clips/${number}.mp4`, import.meta.url));
    const full = await this.#keep(bytes, "mp4", "video", clipSize);
    return { full, ...(await this.#still(at(0), clipSize)), ...clipSize, alt, seconds: CLIP_SECONDS };
  }

  async small(drawing: string, side: number): Promise<string> {
    return this.#keep(await paint(drawing, side), "webp", "large", { width: side, height: side });
  }

  async #still(drawing: string, { width, height }: Size): Promise<Pick<Hung, "feed" | "thumbHash">> {
    const scale = Math.min(1, FEED / Math.max(width, height));
    const small = { width: Math.round(width * scale), height: Math.round(height * scale) };
    const feed = await this.#keep(await paint(drawing, small.width), "webp", "feed", small);
    return { feed, thumbHash: await blurOf(drawing) };
  }

  async #keep(bytes: Buffer, type: string, variant: string, size: Size): Promise<string> {
    const name = `${this.#hash()}.${type}`;
    const path = join(this.#folder, name);
    await writeFile(path, bytes);
    await this.#store.put(name, path);
    this.files.push({ name, variant, bytes: bytes.length, ...size });
    return mediaAddress(name);
  }

  /** As names are, but for that they come again with the world. */
  #hash(): string {
    return Buffer.from(Array.from({ length: 32 }, () => this.#random.between(0, 255))).toString("base64url");
  }
}

/** One after the other: chance gives each its own in one order. */
async function inTurn<T>(numbers: readonly number[], make: (number: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (const number of numbers) made.push(await make(number));
  return made;
}
