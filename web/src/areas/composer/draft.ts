import { limits } from "@tandem/contract/limits";
import type { Post } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import type { TextKey } from "../../i18n/keys.ts";
import { characterCount } from "../../ui/counter.tsx";
import { type PollText, pollProblem } from "./poll-text.ts";
import { splitTitle } from "./split-title.ts";

/** A post's text fields. */
export interface PostText {
  title: string;
  body: string;
  url: string;
  /** The descriptions of its pictures, in their order, or of its video. */
  alts: readonly string[];
  contentWarning: string;
  sensitive: boolean;
  /** The poll of a post that isn't published yet. */
  poll?: PollText | null;
}

/** What is stored in the browser. Files can't be, only their names. */
export interface PostDraft extends PostText {
  /** Null until its author chooses it. */
  provenance: Provenance | null;
  productIds: number[];
  /** The names of the files, as the form shows them. */
  fileNames: string;
  /** The name of the community that it is for; empty for none. */
  community: string;
  /** The post that it quotes. */
  quoteId: number | null;
  /** Whether others can quote it. */
  isQuotable: boolean;
}

export const emptyDraft: PostDraft = {
  title: "",
  body: "",
  url: "",
  alts: [],
  contentWarning: "",
  sensitive: false,
  poll: null,
  provenance: null,
  productIds: [],
  fileNames: "",
  community: "",
  quoteId: null,
  isQuotable: true,
};

/** Whether the author has added text, files, a poll or products. Options alone, such as a community, make no draft. */
export function isWritten(draft: PostDraft): boolean {
  const { title, body, url, alts, contentWarning, sensitive, poll, productIds, fileNames } = draft;
  const texts = [title, body, url, contentWarning, fileNames, ...alts];
  return texts.some((text) => text.trim() !== "") || sensitive || Boolean(poll) || productIds.length > 0;
}

type TextProblems = Partial<Record<keyof PostText, TextKey>>;

/** Checks the text before it is sent. */
export function validateText({ title, body, url, alts, contentWarning, poll }: PostText): TextProblems {
  const problems: TextProblems = {};
  if (title.trim() === "" && body.trim() === "") problems.body = "composer.textMissing";
  if (characterCount(title) > limits.postTitle) problems.title = "composer.tooLong";
  if (characterCount(body) > limits.postBody) problems.body = "composer.tooLong";
  if (alts.some(isAltTooLong)) problems.alts = "composer.tooLong";
  if (characterCount(contentWarning) > limits.contentWarning) problems.contentWarning = "composer.tooLong";
  if (url.trim() !== "" && !isWebUrl(url.trim())) problems.url = "composer.urlInvalid";
  const problem = poll && pollProblem(poll);
  if (problem) problems.poll = problem.text;
  return problems;
}

export const isAltTooLong = (alt: string): boolean => characterCount(alt) > limits.alt;

export const isWebUrl = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text) && text.length <= limits.url;

/**
 * The text as the API expects it. Every post needs a title, so one without gets the beginning of its body, or its content
 * warning, which hides the body. Without a poll, which can't be edited once it is published, and without descriptions of media.
 */
export function sentText({ title, body, url, contentWarning, sensitive }: PostText) {
  const split = title.trim() === "" ? derivedTitle(body, contentWarning) : { title: title.trim(), body };
  return {
    title: split.title,
    body: trimmedOrNull(split.body),
    url: trimmedOrNull(url),
    contentWarning: trimmedOrNull(contentWarning),
    sensitive,
  };
}

const derivedTitle = (body: string, contentWarning: string) =>
  contentWarning.trim() === "" ? splitTitle(body) : { title: contentWarning.trim(), body };

/**
 * The title and body as they were written: without a title that was derived from the text, or from the content warning. So a
 * warning that is added later hides the text as a whole.
 */
export function writtenText(post: WrittenPost): Pick<PostText, "title" | "body"> {
  const { title, body, contentWarning = null } = post;
  const given = { title: title ?? "", body: body ?? "" };
  if (title === null) return given;
  if (contentWarning !== null)
    return title === contentWarning && body !== null ? { ...given, title: "" } : given;
  const whole = textsOf(title, body).find((text) => {
    const split = splitTitle(text);
    return split.title === title && trimmedOrNull(split.body) === body;
  });
  return whole === undefined ? given : { title: "", body: whole };
}

type WrittenPost = Pick<Post, "title" | "body"> & { contentWarning?: string | null | undefined };

/** The texts that could have been split into this title and body. A title that is no sentence can't be told from a written one. */
function textsOf(title: string, body: string | null): string[] {
  if (body === null) return [title];
  return /[.!?…。！？]$/u.test(title) ? [body, `${title} ${body}`, `${title}\n\n${body}`] : [body];
}

/** The API takes null for an empty field. */
const trimmedOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
