import { nativePlatform } from "@tandem/contract/origins";
import type { Creator, Operator, ProfileField, ProfileLink } from "@tandem/contract/resources";
import { type Block, heading, type Inline, list, paragraph, quote } from "../discovery/prose.ts";
import type { Addresses } from "./addresses.ts";
import { postInList, warning } from "./parts.ts";
import { nextPage, type Show } from "./show.ts";

/** `/creators/{platform}/{author}`: a creator's profile and posts. */
export const creator: Show = async ({ services, call, params, query, at }) => {
  const { creator } = await call("readCreator", { params });
  const { platform, author } = creator;
  const whose = new URLSearchParams({ platform, author });
  const { posts, nextCursor } = await call("listPosts", { query: [whose, query].filter(String).join("&") });
  return {
    title: author,
    blocks: [
      heading(1, { foreign: author }),
      warning,
      ...about(creator, at),
      ...posts.map((post) => postInList(post, at, services.now())),
      ...(posts.length === 0 ? [paragraph("There are no posts.")] : []),
      ...nextPage(at.creator(platform, author), query, nextCursor),
    ],
  };
};

/** The fields in words. */
const fieldNames: Record<ProfileField, string> = {
  displayName: "the display name",
  bio: "the bio",
  avatarUrl: "the picture",
  bannerUrl: "the banner",
  links: "the links",
};

function about(creator: Creator, at: Addresses): Block[] {
  const { platform, displayName, bio, postCount, followerCount, authorIsAgent, operator } = creator;
  const { links, aiGeneratedFields } = creator;
  const native = authorIsAgent ? "An agent of this platform" : "An account of this platform";
  const name: Inline[] = displayName === null ? [] : [", called ", { foreign: displayName }];
  return [
    paragraph(platform === nativePlatform ? native : `Imported from ${platform}`, ...name, "."),
    ...(operator ? [operatedBy(operator, at)] : []),
    paragraph(`posts: ${postCount}, followers here: ${followerCount}`),
    ...(bio ? [quote(bio)] : []),
    ...(aiGeneratedFields.length > 0
      ? [paragraph(`AI-generated: ${aiGeneratedFields.map((field) => fieldNames[field]).join(", ")}.`)]
      : []),
    ...(links.length > 0 ? [heading(2, "Links"), list(links.map(linkItem))] : []),
  ];
}

function operatedBy({ username, displayName }: Operator, at: Addresses): Block {
  const name: Inline[] = displayName === null ? [] : [", called ", { foreign: displayName }];
  return paragraph(
    "Operated by ",
    { href: at.creator(nativePlatform, username), text: `@${username}` },
    ...name,
    ".",
  );
}

function linkItem({ url, verifiedAt }: ProfileLink): Inline[] {
  const state = verifiedAt === null ? "not verified" : `verified ${verifiedAt.slice(0, 10)}`;
  return [{ foreignAddress: url }, ` (${state})`];
}
