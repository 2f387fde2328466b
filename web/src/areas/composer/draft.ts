import { limits } from "@tandem/contract/limits";
import type { Post } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import type { TextKey } from "../../i18n/keys.ts";
import { characterCount } from "../../ui/counter.tsx";
import { splitTitle } from "./split-title.ts";

/** A post's text fields. */
export interface PostText {
  title: string;
  body: string;
  url: string;
  alt: string;
  contentWarning: string;
  sensitive: boolean;
}

/** What is stored in the browser. Files can't be, only their names. */
export interface PostDraft extends PostText {
  provenance: Provenance;
  productIds: number[];
  fileName: string;
  /** The name of the community that it is for; empty for none. */
  community: string;
}

export const emptyDraft: PostDraft = {
  title: "",
  body: "",
  url: "",
  alt: "",
  contentWarning: "",
  sensitive: false,
  provenance: "human",
  productIds: [],
  fileName: "",
  community: "",
};

type TextProblems = Partial<Record<keyof PostText, TextKey>>;

/** Checks the text before it is sent. */
export function validateText({ title, body, url, alt, contentWarning }: PostText): TextProblems {
  const problems: TextProblems = {};
  if (title.trim() === "" && body.trim() === "") problems.body = "composer.textMissing";
  if (characterCount(title) > limits.postTitle) problems.title = "composer.tooLong";
  if (characterCount(body) > limits.postBody) problems.body = "composer.tooLong";
  if (characterCount(alt) > limits.alt) problems.alt = "composer.tooLong";
  if (characterCount(contentWarning) > limits.contentWarning) problems.contentWarning = "composer.tooLong";
  if (url.trim() !== "" && !isWebUrl(url.trim())) problems.url = "composer.urlInvalid";
  return problems;
}

export const isWebUrl = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text) && text.length <= limits.url;

/** The text as the API expects it. Without a title, the beginning of the body becomes one. */
export function sentText({ title, body, url, alt, contentWarning, sensitive }: PostText) {
  const split = title.trim() === "" ? splitTitle(body) : { title: title.trim(), body };
  return {
    title: split.title,
    body: trimmedOrNull(split.body),
    url: trimmedOrNull(url),
    alt: trimmedOrNull(alt),
    contentWarning: trimmedOrNull(contentWarning),
    sensitive,
  };
}

/** The title and body as they were written: a text that became a title as a whole is a body again. */
export function writtenText({ title, body }: Pick<Post, "title" | "body">): Pick<PostText, "title" | "body"> {
  const isTitleOnly = title !== null && body === null && splitTitle(title).title === title;
  return isTitleOnly ? { title: "", body: title } : { title: title ?? "", body: body ?? "" };
}

/** The API takes null for an empty field. */
const trimmedOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
