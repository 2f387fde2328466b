/** A streaming server's playlist, as far as this service passes it on (RFC 8216). */
export interface MediaPlaylist {
  /** The number of the first segment. */
  number: number;
  /** `EXT-X-DISCONTINUITY-SEQUENCE`. */
  discontinuity: number;
  target: number;
  version: number;
  independent: boolean;
  /** The lines of each segment: its tags, then its absolute URL. */
  segments: string[][];
}

/** A playlist of playlists: its lines with absolute URLs and, if it has one stream with sound and picture, that stream's URL. */
export interface MultivariantPlaylist {
  lines: string[];
  only: string | null;
}

/** Tags that belong to a segment. Others are about what only the streaming server can do, such as blocking reloads. */
const ofSegments =
  /^#(EXTINF|EXT-X-(BYTERANGE|DISCONTINUITY|KEY|MAP|PROGRAM-DATE-TIME|GAP|BITRATE|DATERANGE))(:|$)/;

/** Parses a playlist. Null if it is none, or has no segment to play, or has ended. */
export function parsePlaylist(text: string, url: string): MediaPlaylist | MultivariantPlaylist | null {
  const lines = text.split(/\r?\n/).map((line) => absolute(line.trim(), url));
  if (lines[0] !== "#EXTM3U") return null;
  if (lines.some((line) => line.startsWith("#EXT-X-STREAM-INF"))) return multivariant(lines);
  const numberOf = (tag: string, otherwise: number) => {
    const [, digits] =
      lines.map((line) => new RegExp(`^#${tag}:(\\d{1,15})\\b`).exec(line)).find(Boolean) ?? [];
    return digits === undefined ? otherwise : Number(digits);
  };
  const segments = segmentsIn(lines);
  if (segments.length === 0 || lines.includes("#EXT-X-ENDLIST")) return null;
  return {
    number: numberOf("EXT-X-MEDIA-SEQUENCE", 0),
    discontinuity: numberOf("EXT-X-DISCONTINUITY-SEQUENCE", 0),
    target: numberOf("EXT-X-TARGETDURATION", 10),
    version: numberOf("EXT-X-VERSION", 1),
    independent: lines.includes("#EXT-X-INDEPENDENT-SEGMENTS"),
    segments,
  };
}

function multivariant(lines: string[]): MultivariantPlaylist {
  const variants = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const hasRenditions = lines.some((line) => line.startsWith("#EXT-X-MEDIA:"));
  return { lines, only: variants.length === 1 && !hasRenditions ? (variants[0] ?? null) : null };
}

function segmentsIn(lines: readonly string[]): string[][] {
  const segments: string[][] = [];
  let tags: string[] = [];
  for (const line of lines) {
    if (ofSegments.test(line)) tags.push(line);
    else if (line !== "" && !line.startsWith("#")) {
      segments.push([...tags, line]);
      tags = [];
    }
  }
  return segments;
}

/** A line with absolute URLs: the players read it at another address. */
function absolute(line: string, base: string): string {
  const resolve = (url: string) => (URL.canParse(url, base) ? new URL(url, base).href : url);
  if (!line.startsWith("#")) return line === "" ? line : resolve(line);
  return line.replace(/\bURI="([^"]*)"/g, (_, url: string) => `URI="${resolve(url)}"`);
}
