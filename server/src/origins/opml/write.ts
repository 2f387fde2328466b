import { type OriginPlatform, originNames } from "@tandem/contract/origins";
import type { SourceAddress } from "../connector.ts";
import { feedOf } from "./feed-of.ts";
import {
  communityAttribute,
  enabledAttribute,
  NAMESPACE,
  ownAttributes,
  platformAttribute,
  urlAttribute,
} from "./format.ts";

export interface OpmlSource extends SourceAddress {
  platform: OriginPlatform;
  enabled: boolean;
}

/** An OPML 2.0 file of these sources, grouped by platform. */
export async function opmlOf(sources: readonly OpmlSource[], now: number): Promise<string> {
  const { generateOpml } = await import("feedsmith");
  const groups = originNames.flatMap((platform) => {
    const outlines = sources.filter((source) => source.platform === platform).map(outlineOf);
    return outlines.length > 0 ? [{ text: platform, title: platform, outlines }] : [];
  });
  const head = { title: "Tandem", dateCreated: new Date(now) };
  // The format requires an outline.
  const opml = { head, body: { outlines: groups.length > 0 ? groups : [{ text: "Tandem" }] } };
  return generateOpml(opml, { extraOutlineAttributes: ownAttributes }).replace(
    '<opml version="2.0">',
    `<opml version="2.0" xmlns:tandem="${NAMESPACE}">`,
  );
}

function outlineOf({ platform, name, url, community, enabled }: OpmlSource) {
  const { xmlUrl, htmlUrl } = feedOf(platform, url);
  return {
    ...{ text: name, title: name, type: "rss", xmlUrl, ...(htmlUrl !== null && { htmlUrl }) },
    [urlAttribute]: url,
    [platformAttribute]: platform,
    ...(community !== null && { [communityAttribute]: community }),
    ...(!enabled && { [enabledAttribute]: "no" }),
  };
}
