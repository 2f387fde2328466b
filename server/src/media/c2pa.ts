/** What content credentials (C2PA) say about AI. Signatures aren't checked: a statement that AI was involved needs no proof. */
import { type AiProvenance, mostAi, provenanceOfSourceType } from "@tandem/contract/digital-source-types";
import { decode } from "cborg";
import { boxesIn } from "./boxes.ts";

/** The most boxes on one level that are read, and the most actions of an assertion. Each edit of a file adds a manifest. */
const MAX_PARTS = 500;
/** The most bytes of an assertion that are read. Actions take a few hundred; thumbnails are larger. */
const MAX_ASSERTION = 2 ** 20;

/**
 * The AI mark in a manifest store. What the active manifest says, holds for the file. What another manifest says holds for
 * an ingredient, so the file was made with AI's help. A manifest that states no source type, such as that of a crop, adds
 * nothing, and the one before it holds for the file. Skips damaged and unknown parts.
 * @param store JUMBF
 */
export function provenanceInC2pa(store: Buffer): AiProvenance | null {
  const manifests = superboxes(store)
    .filter(({ label }) => label === "c2pa")
    .flatMap(({ content }) => superboxes(content));
  let stated: AiProvenance | null = null;
  // The last manifest is the active one.
  for (const { content } of manifests) {
    const types = sourceTypesInManifest(content);
    if (types.length > 0) stated = mostAi(...types.map(provenanceOfSourceType), stated && "ai_assisted");
  }
  return stated;
}

function sourceTypesInManifest(manifest: Buffer): unknown[] {
  const assertions = superboxes(manifest)
    .filter(({ label }) => label === "c2pa.assertions")
    .flatMap(({ content }) => superboxes(content));
  return assertions.flatMap(sourceTypesIn).filter((type) => type !== undefined && type !== null);
}

interface Superbox {
  label: string;
  /** The boxes after the description. */
  content: Buffer;
}

/** JUMBF superboxes: boxes that begin with a description, which has their label. */
function superboxes(bytes: Buffer): Superbox[] {
  return boxesIn(bytes, MAX_PARTS).flatMap(({ type, content }) => {
    const [description] = type === "jumb" ? boxesIn(content, 1) : [];
    if (description?.type !== "jumd") return [];
    const rest = content.subarray(
      description.content.byteOffset - content.byteOffset + description.content.length,
    );
    return [{ label: labelIn(description.content), content: rest }];
  });
}

const LABEL_AT = 17;
const HAS_LABEL = 2;

/** The label follows a UUID and a byte of flags, and ends with a zero byte. */
function labelIn(description: Buffer): string {
  if (description.length <= LABEL_AT || ((description[LABEL_AT - 1] ?? 0) & HAS_LABEL) === 0) return "";
  const end = description.indexOf(0, LABEL_AT);
  return description.toString("utf8", LABEL_AT, end < 0 ? description.length : end);
}

/** The source types in an assertion about how the file was made; another instance of an assertion ends with `__2`. */
function sourceTypesIn({ label, content }: Superbox): unknown[] {
  const [box] = boxesIn(content, 1);
  if (!box || box.content.length > MAX_ASSERTION) return [];
  if (/^c2pa\.actions(\.v2)?(__\d+)?$/.test(label) && box.type === "cbor")
    return listIn(
      parsed(() => decode(box.content, { tags: dates })),
      "actions",
    ).map((action) => fieldIn(action, "digitalSourceType"));
  // Earlier versions repeated XMP and schema.org's metadata as JSON-LD.
  if (/^(stds\.iptc|stds\.schema-org\.CreativeWork)\b/.test(label) && box.type === "json")
    return sourceTypesInJson(parsed(() => JSON.parse(box.content.toString("utf8"))));
  return [];
}

/** CBOR's tag for a date as text. */
const dates = { 0: (content: () => unknown) => content() };

function sourceTypesInJson(data: unknown): unknown[] {
  return ["Iptc4xmpExt:DigitalSourceType", "digitalSourceType"].map((name) => fieldIn(data, name));
}

/** Undefined if it is damaged. */
function parsed(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function listIn(value: unknown, name: string): unknown[] {
  const list = fieldIn(value, name);
  return Array.isArray(list) ? list.slice(0, MAX_PARTS) : [];
}

function fieldIn(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
