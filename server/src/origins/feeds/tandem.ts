import { documents } from "@tandem/contract/documents";
import { at, listAt, stringAt } from "../clean/json.ts";

/**
 * The provenance among an entry's categories. Feeds of Tandem name the policy of their own site as the scheme of these
 * categories.
 */
export function provenanceAmong(
  categories: readonly { value?: string | undefined; scheme?: string | undefined }[] | undefined,
  feedUrl: string,
): string | null {
  return categories?.find(({ scheme }) => isPolicyOf(feedUrl, scheme))?.value ?? null;
}

/** The provenance of a JSON Feed's items by id, from Tandem's extension, which the parser drops. */
export function provenancesIn(json: unknown, feedUrl: string): Map<string, string> {
  const found = listAt(json, "items").flatMap((item): [string, string][] => {
    const extension = at(item, "_tandem");
    const [id, provenance] = [stringAt(item, "id"), stringAt(extension, "provenance")];
    return id && provenance && isPolicyOf(feedUrl, stringAt(extension, "about")) ? [[id, provenance]] : [];
  });
  return new Map(found);
}

function isPolicyOf(feedUrl: string, url: string | null | undefined): boolean {
  return url != null && url === new URL(documents.policy, feedUrl).href;
}
