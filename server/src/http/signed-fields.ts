import { SIGNATURE_TAG } from "@tandem/contract/signatures";
import { isInnerList, parseDictionary, serializeDictionary } from "structured-headers";
import { SignatureProblem } from "./signature-problem.ts";

/** Enough for any signer, and few enough that checking them takes no time. */
const MAX_COMPONENTS = 12;
const MAX_FIELD = 2048;

/** The signature to verify, and the header fields that it covers: nothing else about a field may be believed. */
export interface SignedFields {
  label: string;
  /** `Signature`, `Signature-Input` and the covered fields that were sent, by lower-case name. */
  fields: ReadonlyMap<string, string>;
}

/**
 * Reads them from the lines as they arrived. A covered field is one line: of several, parsers keep the first, the last or all, and a line
 * that is left out would be believed by others. Throws a `SignatureProblem`.
 */
export function signedFields(rawHeaders: readonly string[]): SignedFields {
  const lines = linesOf(rawHeaders);
  const checked = (name: string, value: string) => {
    if (value.length > MAX_FIELD || !/^[\t -~]*$/.test(value))
      throw new SignatureProblem(`${name} must be ASCII, with at most ${MAX_FIELD} characters.`);
    return value;
  };
  const fields = new Map(
    ["signature", "signature-input"].map((name) => [name, checked(name, (lines.get(name) ?? []).join(", "))]),
  );
  const { label, covered } = signatureIn(fields.get("signature-input") ?? "");
  for (const name of covered) {
    const [line, ...others] = lines.get(name) ?? [];
    if (others.length > 0) throw new SignatureProblem(`Send ${name} once: the signature covers it.`);
    if (line !== undefined && !fields.has(name)) fields.set(name, checked(name, line));
  }
  return { label, fields };
}

function linesOf(rawHeaders: readonly string[]): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = [rawHeaders[i]?.toLowerCase(), rawHeaders[i + 1]];
    lines.set(name, [...(lines.get(name) ?? []), value]);
  }
  return lines;
}

/** The only signature for this purpose, and the names of what it covers. Other signatures are for someone else. */
function signatureIn(input: string): { label: string; covered: string[] } {
  const found = [...inputsIn(input)].flatMap(([label, member]) => {
    if (!isInnerList(member) || member[1].get("tag") !== SIGNATURE_TAG) return [];
    const [items] = member;
    if (items.length > MAX_COMPONENTS)
      throw new SignatureProblem(`A signature can cover at most ${MAX_COMPONENTS} components.`);
    return [{ label, covered: items.map(([name]) => String(name).toLowerCase()) }];
  });
  const [signature] = found;
  if (!signature) throw new SignatureProblem(`No signature has the tag "${SIGNATURE_TAG}".`);
  if (found.length > 1) throw new SignatureProblem(`More than one signature has the tag "${SIGNATURE_TAG}".`);
  return signature;
}

function inputsIn(input: string) {
  try {
    return parseDictionary(input);
  } catch {
    throw new SignatureProblem("Signature-Input isn't a valid dictionary.");
  }
}

/** Parses a dictionary (RFC 9651) in its canonical form but for spaces, so that no key appears twice: parsers keep the last. Throws. */
export function strictDictionary(field: string) {
  const members = parseDictionary(field);
  const withoutSpaces = (text: string) => text.replace(/[\t ]/g, "");
  if (withoutSpaces(serializeDictionary(members)) !== withoutSpaces(field))
    throw new Error("not canonical, or a key twice");
  return members;
}
