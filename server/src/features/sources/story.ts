import { createHash } from "node:crypto";
import type { PostFacts } from "../../storage/post-fragment.ts";

/** Parameters that say where somebody came from, and nothing of what is there. */
const tracking = /^(utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref|ref_src|cmpid|_ga)$/i;

/** What posts of one link have in common, however it was written; null for posts of no link. */
export function storyOf({ mediaType, url }: PostFacts): string | null {
  if (mediaType !== "link" || url === null || !URL.canParse(url)) return null;
  return createHash("sha256")
    .update(plain(new URL(url)))
    .digest("base64url")
    .slice(0, 22);
}

/** An address without what makes no difference to what is there. */
function plain({ hostname, port, pathname, searchParams }: URL): string {
  const kept = [...searchParams]
    .filter(([name]) => !tracking.test(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const host = hostname.replace(/^(www|m|amp)\./, "");
  return `${host}:${port}${pathname.replace(/\/+$/, "")}?${new URLSearchParams(kept)}`;
}
