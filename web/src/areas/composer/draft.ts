import { limits } from "@tandem/contract/limits";
import type { Provenance } from "@tandem/contract/resources";
import type { TextKey } from "../../i18n/keys.ts";
import { lengthOf } from "../../ui/counter.tsx";

/** The words of a post, as they are being written. */
export interface Words {
  title: string;
  body: string;
  url: string;
  alt: string;
}

/** All of it that can be kept in a browser: a file can't, only its name. */
export interface Written extends Words {
  provenance: Provenance;
  productIds: number[];
  fileName: string;
}

export const nothing: Written = {
  title: "",
  body: "",
  url: "",
  alt: "",
  provenance: "human",
  productIds: [],
  fileName: "",
};

export type Wrong = Partial<Record<keyof Words, TextKey>>;

/** What the service would refuse, known before it is asked. */
export function wrongWith({ title, body, url, alt }: Words): Wrong {
  const wrong: Wrong = {};
  if (title.trim() === "") wrong.title = "composer.titleNeeded";
  else if (lengthOf(title) > limits.postTitle) wrong.title = "composer.tooLong";
  if (lengthOf(body) > limits.postBody) wrong.body = "composer.tooLong";
  if (lengthOf(alt) > limits.alt) wrong.alt = "composer.tooLong";
  if (url.trim() !== "" && !isWebAddress(url.trim())) wrong.url = "composer.urlWrong";
  return wrong;
}

export const isWebAddress = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text) && text.length <= limits.url;

/** What is empty is null to the service. */
export const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
