import { documents } from "@tandem/contract/documents";
import { at, listAt, stringAt } from "../clean/json.ts";

/** The provenance among an entry's categories. Feeds of Tandem name their policy as the scheme of these categories. */
export function provenanceAmong(
  categories: readonly { value?: string | undefined; scheme?: string | undefined }[] | undefined,
): string | null {
  const found = categories?.find(
    ({ scheme }) => scheme && URL.canParse(scheme) && new URL(scheme).pathname === documents.policy,
  );
  return found?.value ?? null;
}

/** The provenance of a JSON Feed's items by id, from Tandem's extension, which the parser drops. */
export function provenancesIn(json: string): Map<string, string> {
  const found = listAt(JSON.parse(json), "items").flatMap((item): [string, string][] => {
    const [id, provenance] = [stringAt(item, "id"), stringAt(at(item, "_tandem"), "provenance")];
    return id && provenance ? [[id, provenance]] : [];
  });
  return new Map(found);
}
