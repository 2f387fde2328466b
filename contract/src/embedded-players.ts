import type { Post } from "./post-resources.ts";

/** Another site's player for a post's video, to be shown in a frame once a reader asks for it. */
export interface EmbeddedPlayer {
  /** The site's name. */
  site: string;
  /** The address of the player, which then starts by itself. */
  url: string;
}

/**
 * The player of a post's video or of the video that it links to: of YouTube, Vimeo, Dailymotion, and of the PeerTube servers that
 * posts are imported from. Null for others: any site could call a page of its own a player.
 */
export function embeddedPlayerOf({
  platform,
  mediaType,
  mediaUrl,
}: Pick<Post, "platform" | "mediaType" | "mediaUrl">): EmbeddedPlayer | null {
  const isPossible = mediaType === "video" || mediaType === "link";
  if (!isPossible || mediaUrl === null || !/^https?:/.test(mediaUrl) || !URL.canParse(mediaUrl)) return null;
  const address = new URL(mediaUrl);
  return youtube(address) ?? vimeo(address) ?? dailymotion(address) ?? peertube(address, platform);
}

function youtube({ hostname, pathname, searchParams }: URL): EmbeddedPlayer | null {
  const host = hostname.replace(/^(www|m|music)\./, "");
  const id =
    host === "youtu.be"
      ? pathname.slice(1)
      : host === "youtube.com" || host === "youtube-nocookie.com"
        ? (/^\/(?:embed|shorts|live)\/([^/]+)/.exec(pathname)?.[1] ??
          (pathname === "/watch" ? searchParams.get("v") : null))
        : null;
  if (!id || id === "videoseries" || !/^[\w-]{5,20}$/.test(id)) return null;
  const start = secondsOf(searchParams.get("t") ?? searchParams.get("start"));
  return {
    site: "YouTube",
    url: `https://www.youtube-nocookie.com/embed/${id}?autoplay=1${start > 0 ? `&start=${start}` : ""}`,
  };
}

/** `90`, `90s` or `1h2m3s` in seconds; 0 for anything else. */
function secondsOf(time: string | null): number {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(time ?? "") ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function vimeo({ hostname, pathname, searchParams }: URL): EmbeddedPlayer | null {
  const isPlayer = hostname === "player.vimeo.com";
  if (!isPlayer && !/^(www\.)?vimeo\.com$/.test(hostname)) return null;
  const path = isPlayer ? /^\/video\/(\d{1,12})\/?$/ : /^\/(\d{1,12})(?:\/([\da-f]{6,20}))?\/?$/;
  const [, id, inPath] = path.exec(pathname) ?? [];
  if (!id) return null;
  // Unlisted videos have a second part.
  const hash = inPath ?? searchParams.get("h");
  const unlisted = hash && /^[\da-f]{6,20}$/.test(hash) ? `&h=${hash}` : "";
  return { site: "Vimeo", url: `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1${unlisted}` };
}

function dailymotion({ hostname, pathname }: URL): EmbeddedPlayer | null {
  const path =
    hostname === "dai.ly"
      ? /^\/(x\w{3,15})$/
      : /^(www\.)?dailymotion\.com$/.test(hostname)
        ? /^\/(?:embed\/)?video\/(x\w{3,15})/
        : null;
  const id = path?.exec(pathname)?.[1];
  return id
    ? { site: "Dailymotion", url: `https://geo.dailymotion.com/player.html?video=${id}&autoplay=true` }
    : null;
}

function peertube(
  { protocol, origin, hostname, pathname }: URL,
  platform: Post["platform"],
): EmbeddedPlayer | null {
  const id = /^\/videos\/embed\/([\w-]{1,40})$/.exec(pathname)?.[1];
  if (platform !== "peertube" || protocol !== "https:" || !id) return null;
  // Without sharing the load between viewers, who would see each other's addresses.
  return { site: hostname, url: `${origin}/videos/embed/${id}?autoplay=1&p2p=0` };
}
