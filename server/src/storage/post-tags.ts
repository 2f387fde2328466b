import { limits } from "@tandem/contract/limits";
import { tagsIn } from "@tandem/contract/markdown/mentions-and-tags";
import { nativePlatform, origins } from "@tandem/contract/origins";
import { textParts } from "@tandem/contract/text-parts";
import { foldAccents } from "./fold.ts";
import type { PostFacts } from "./post-fragment.ts";

/** What a post says that can have hashtags. */
export type Tagged = Pick<PostFacts, "platform" | "community" | "title" | "body">;

/** The hashtags by which followers find a post, as they are compared: a limited number, each once. */
export function tagKeysOf({ platform, community, title, body }: Tagged): string[] {
  // On such a platform, a community is what a hashtag brings together.
  const isTag = platform !== nativePlatform && origins[platform].communityTerm === "hashtag";
  const inBody = platform === nativePlatform ? tagsIn(body ?? "") : tagsInText(body);
  const names = [...(isTag && community !== null ? [community.replace(/^#/, "")] : []), ...tagsInText(title)];
  const keys = [...names, ...inBody].map(foldAccents).filter((key) => key !== "" && key.length <= limits.tag);
  return [...new Set(keys)].slice(0, limits.tagsPerText);
}

function tagsInText(text: string | null): string[] {
  if (!text?.includes("#")) return [];
  return textParts(text).flatMap((part) => (part.kind === "tag" ? [part.text.slice(1)] : []));
}
