import { createHash } from "node:crypto";
import type { PostFacts } from "../../storage/post-fragment.ts";

/** Query parameters that only track visitors and don't select content. */
const trackingParams = /^(utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref|ref_src|cmpid|_ga)$/i;

/** The name of a link's story: a hash of the normalized URL. Null for posts that aren't links. */
export function storyOf({ mediaType, url }: PostFacts): string | null {
  if (mediaType !== "link" || url === null || !URL.canParse(url)) return null;
  return createHash("sha256")
    .update(normalize(new URL(url)))
    .digest("base64url")
    .slice(0, 22);
}

/** Removes parts of a URL that usually don't change the content: scheme, www, trailing slashes, tracking parameters. */
function normalize({ hostname, port, pathname, searchParams }: URL): string {
  const params = [...searchParams]
    .filter(([name]) => !trackingParams.test(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const host = hostname.replace(/^(www|m|amp)\./, "");
  return `${host}:${port}${pathname.replace(/\/+$/, "")}?${new URLSearchParams(params)}`;
}
