import { hidesMedia } from "@tandem/contract/content-warning";
import type { Post } from "@tandem/contract/post-resources";
import type { CommentVersion, PostVersion } from "@tandem/contract/versions";
import { article, type Block, heading, list, paragraph } from "../discovery/prose.ts";
import { provenanceLabel } from "../features/shared/provenance-label.ts";
import { minute, quoted, warning } from "./parts.ts";
import { nextPage, type Show } from "./show.ts";

/** `/posts/{id}/versions`: what a post shows now and showed before, latest first. */
export const postVersions: Show = async ({ services, call, params, query, at }) => {
  const { versions, nextCursor } = await call("listPostVersions", { params, query });
  const { post } = await call("readPost", { params });
  const id = Number(params.id);
  return {
    title: `Versions of post ${id}`,
    blocks: [
      heading(1, "Versions of ", { href: at.post(id), text: `post ${id}` }),
      warning,
      ...versions.flatMap((version) =>
        versionBlocks(version, postContent(version, post, `${services.baseUrl}/api/posts/${id}/versions`)),
      ),
      ...nextPage(at.postVersions(id), query, nextCursor),
    ],
  };
};

/** `/comments/{id}/versions`: the same for a comment. */
export const commentVersions: Show = async ({ call, params, query, at }) => {
  const { versions, postId, nextCursor } = await call("listCommentVersions", { params, query });
  const id = Number(params.id);
  return {
    title: `Versions of comment ${id}`,
    blocks: [
      heading(1, `Versions of comment ${id} on `, { href: at.post(postId), text: `post ${postId}` }),
      warning,
      ...versions.flatMap((version) => versionBlocks(version, quoted(version.body))),
      ...nextPage(at.commentVersions(id), query, nextCursor),
    ],
  };
};

const makers = {
  person: "by a person",
  ai: "by AI (a key or agent)",
  origin: "by its origin",
  unknown: "unknown whether by a person or AI",
} as const satisfies Record<PostVersion["madeBy"], string>;

function versionBlocks(version: PostVersion | CommentVersion, content: Block[]): Block[] {
  const { version: number, cleared, notKept } = version;
  const made = `${version.current ? "Current. " : ""}Made ${minute(version.madeAt)}, ${makers[version.madeBy]}. Label: ${provenanceLabel(version)}.`;
  const removed =
    cleared &&
    paragraph(`${cleared.by === "author" ? "Its author" : "A moderator"} cleared it ${minute(cleared.at)}.`);
  return [
    article(heading(2, `Version ${number}`), paragraph(made), ...(removed ? [removed] : content)),
    ...(notKept > 0 ? [paragraph(`Earlier versions that aren't kept: ${notKept}.`)] : []),
  ];
}

/**
 * A version's fields. Behind a content warning, its own or the post's, are all but the warning: an earlier title can have the
 * words that it is about. Behind the mark of sensitive media is their description.
 */
function postContent(version: PostVersion, post: Post, href: string): Block[] {
  const { title, body, url, alt, alts, contentWarning, sensitive, quoteId, poll, otherMedia } = version;
  const isWarned = contentWarning !== null || post.contentWarning !== undefined;
  const isSensitive = sensitive || hidesMedia(post);
  const facts = [
    ...(quoteId === null ? [] : [paragraph(`It quoted post ${quoteId}.`)]),
    ...(otherMedia ? [paragraph("It showed another picture or video, which isn't kept.")] : []),
    ...(contentWarning === null ? [] : [paragraph("Content warning: ", { foreign: contentWarning })]),
    ...(sensitive ? [paragraph("Its media were marked as sensitive.")] : []),
  ];
  if (isWarned)
    return [
      ...facts,
      paragraph("Its text is behind the content warning. To read it: ", { href, text: `GET ${href}` }),
    ];
  return [
    ...(title === null ? [] : [paragraph("Title: ", { foreign: title })]),
    ...(url === null ? [] : [paragraph("Link: ", { foreignAddress: url })]),
    ...(isSensitive ? [] : descriptions(alts ?? [alt])),
    ...facts,
    ...quoted(body),
    ...(poll === null ? [] : [paragraph("Poll: "), list(poll.options.map((text) => [{ foreign: text }]))]),
  ];
}

function descriptions(alts: readonly (string | null)[]): Block[] {
  return alts.flatMap((alt, i) => {
    const label = alts.length === 1 ? "Image description: " : `Description of image ${i + 1}: `;
    return alt === null ? [] : [paragraph(label, { foreign: alt })];
  });
}
