import type { FoundAudio } from "../clean/item.ts";
import type { RssItem } from "./formats.ts";
import type { File } from "./media.ts";

/** The entry's audio among its files: the first that every browser plays, or else the first. */
export function audioAmong(files: readonly File[]): FoundAudio | null {
  const all = files.filter(isAudio);
  const audio = all.find(isPlayedEverywhere) ?? all[0];
  if (!audio) return null;
  const same = files.filter(({ url }) => url === audio.url);
  return { url: audio.url, seconds: same.find(({ duration }) => duration)?.duration };
}

/** An RSS item's podcast:alternateEnclosure: the same episode in other forms, each at one or more addresses. */
export function alternateFilesOf({ podcast, itunes }: RssItem): File[] {
  return (podcast?.alternateEnclosures ?? []).flatMap(({ type, sources }) =>
    (sources ?? []).map(({ uri, contentType }) => ({
      url: uri,
      type: contentType ?? type ?? "",
      duration: itunes?.duration,
    })),
  );
}

const endings = ["mp3", "m4a", "aac", "ogg", "oga", "opus", "flac", "wav"];

/** Many servers declare no type, or one that says nothing. Playlists aren't audio. */
function isAudio({ url, type = "", medium }: File): boolean {
  if (typeof url !== "string" || /^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(url)) return false;
  if (/^audio\//i.test(type)) return !/mpegurl|scpls/i.test(type);
  if (medium) return medium === "audio";
  return !/^(image|video|text)\/|bittorrent/i.test(type) && endings.includes(endingOf(url));
}

function isPlayedEverywhere({ url, type = "" }: File): boolean {
  return /mpeg|mp3|mp4|m4a|aac/i.test(type) || /^(mp3|m4a|aac)$/.test(endingOf(String(url)));
}

function endingOf(url: string): string {
  return /\.(\w+)$/.exec(url.split(/[?#]/)[0] ?? "")?.[1]?.toLowerCase() ?? "";
}
