import { type AiProvenance, mostAi, provenanceOfSourceType } from "@tandem/contract/digital-source-types";
import { at, listAt, stringAt } from "./clean/json.ts";

/** The parts of a card from linked data or oEmbed. */
export interface LinkedData {
  title: string | null;
  description: string | null;
  image: string | null;
  site: string | null;
  /** What the page says about AI, in schema.org's `digitalSourceType`. */
  provenance: AiProvenance | null;
}

/** Types that describe the page's subject instead of the site. */
const subjects =
  /(Article|Posting|Report|Review|Recipe|Object|Product|Event|Course|Movie|Book|Episode|WebPage|Question)$/;

/** Reads a page's linked data (JSON-LD). Unreadable scripts are ignored. */
export function dataOf(scripts: string[]): LinkedData {
  const about = scripts.flatMap(nodesOf).find((node) => typesOf(node).some((type) => subjects.test(type)));
  return {
    title: stringAt(about, "headline") ?? stringAt(about, "name"),
    description: stringAt(about, "description"),
    image: imageOf(at(about, "image")) ?? imageOf(at(about, "thumbnailUrl")),
    site: stringAt(about, "publisher", "name"),
    provenance: mostAi(...sourceTypesOf(about), ...sourceTypesOf(at(about, "image"))),
  };
}

/** What a node says about AI: one type or several, each as text or as a node with an `@id`. */
function sourceTypesOf(node: unknown): (AiProvenance | null)[] {
  const types = listOf(at(node, "digitalSourceType")).slice(0, MAX_TYPES);
  return types.map((type) => provenanceOfSourceType(stringAt(type, "@id") ?? type));
}

const MAX_TYPES = 10;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

function nodesOf(script: string): unknown[] {
  try {
    const data: unknown = JSON.parse(script);
    return listOf(data).flatMap((root) => [root, ...listAt(root, "@graph")]);
  } catch {
    return [];
  }
}

function typesOf(node: unknown): string[] {
  return listOf(at(node, "@type")).filter((one) => typeof one === "string");
}

/** Accepts a URL, an object with a `url`, or a list of either. */
function imageOf(image: unknown): string | null {
  const [first] = listOf(image);
  return typeof first === "string" ? first : stringAt(first, "url");
}
