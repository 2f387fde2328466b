import type { MediaRss } from "./formats.ts";
import type { File } from "./media.ts";

/** Files of the entry itself and of its groups, which list renditions of the same content. */
export function filesOfMediaRss(media: MediaRss | undefined): File[] {
  const contents = [media, ...(media?.groups ?? [])].flatMap((group) => group?.contents ?? []);
  return contents.map(({ url, type, medium, width, height, duration, description }) => {
    return { url, type, medium, width, height, duration, alt: description?.value };
  });
}

/** Whether a rating for adults applies to an entry, a group or one of its files. */
export function isRatedAdult(media: MediaRss | undefined): boolean {
  const groups = media?.groups ?? [];
  const places = [media, ...groups, ...[media, ...groups].flatMap((place) => place?.contents ?? [])];
  return places
    .flatMap((place) => place?.ratings ?? [])
    .some(({ scheme, value = "" }) => {
      const isSimple = scheme === undefined || scheme.trim().toLowerCase() === "urn:simple";
      return isSimple && value.trim().toLowerCase() === "adult";
    });
}

export function thumbnailOf(media: MediaRss | undefined): string | null {
  const places = [media, ...(media?.groups ?? []), ...(media?.contents ?? [])];
  return places.flatMap((place) => place?.thumbnails ?? [])[0]?.url ?? null;
}
