import { at, listAt, stringAt } from "./clean/json.ts";

/** What a card is made of, as linked data or oEmbed has it. */
export interface LinkedData {
  title: string | null;
  description: string | null;
  image: string | null;
  site: string | null;
}

/** What is about the page itself rather than about where it stands. */
const subjects =
  /(Article|Posting|Report|Review|Recipe|Object|Product|Event|Course|Movie|Book|Episode|WebPage|Question)$/;

/** What the scripts of linked data (JSON-LD) on a page say of it; those that can't be read say nothing. */
export function dataOf(scripts: string[]): LinkedData {
  const about = scripts.flatMap(nodesOf).find((node) => typesOf(node).some((type) => subjects.test(type)));
  return {
    title: stringAt(about, "headline") ?? stringAt(about, "name"),
    description: stringAt(about, "description"),
    image: imageOf(at(about, "image")) ?? imageOf(at(about, "thumbnailUrl")),
    site: stringAt(about, "publisher", "name"),
  };
}

function nodesOf(script: string): unknown[] {
  try {
    const data: unknown = JSON.parse(script);
    const roots = Array.isArray(data) ? data : [data];
    return roots.flatMap((root) => [root, ...listAt(root, "@graph")]);
  } catch {
    return [];
  }
}

function typesOf(node: unknown): string[] {
  const type = at(node, "@type");
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
}

/** An address, an object that has one, or a list of either. */
function imageOf(image: unknown): string | null {
  const [first] = Array.isArray(image) ? image : [image];
  return typeof first === "string" ? first : stringAt(first, "url");
}
