import { at, listAt, stringAt } from "./clean/json.ts";

/** The parts of a card from linked data or oEmbed. */
export interface LinkedData {
  title: string | null;
  description: string | null;
  image: string | null;
  site: string | null;
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

/** Accepts a URL, an object with a `url`, or a list of either. */
function imageOf(image: unknown): string | null {
  const [first] = Array.isArray(image) ? image : [image];
  return typeof first === "string" ? first : stringAt(first, "url");
}
