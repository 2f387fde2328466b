import type { FoundMedia } from "./clean/item.ts";

/**
 * The picture or video that an address of Reddit's or Imgur's image host shows; null for any other address. Of Imgur's
 * pages, only those with a file ending are files.
 */
export function hostedMedia(address: string | null): Pick<FoundMedia, "type" | "url"> | null {
  if (address === null || !URL.canParse(address)) return null;
  const { hostname, pathname, href } = new URL(address);
  if (hostname === "i.redd.it") return { type: /\.gif$/i.test(pathname) ? "gif" : "image", url: href };
  if (!/^(?:(?:i|m|www)\.)?imgur\.com$/.test(hostname)) return null;
  const [, name, ending = ""] = /^(\/\w+)\.(jpe?g|png|webp|gif|gifv|mp4)$/i.exec(pathname) ?? [];
  if (!name) return null;
  const kind = ending.toLowerCase();
  // A GIFV is a page that plays the MP4 of the same name.
  const url = `https://i.imgur.com${name}.${kind === "gifv" ? "mp4" : kind}`;
  return { type: kind === "mp4" ? "video" : kind.startsWith("gif") ? "gif" : "image", url };
}
