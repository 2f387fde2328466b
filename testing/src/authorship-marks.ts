import { type DefaultTreeAdapterTypes, parse } from "parse5";
import type { Observation, Said } from "./authorship-model.ts";

/** What is said about texts with tokens: in JSON, pages, structured data, Markdown and feeds. */

const TOKEN = /tok\d+x/g;
export const marked = (isAi: unknown): Said => (isAi ? "ai_generated" : "human");

/** None if the text has no token: then it isn't in the model. */
export const observe = (text: string | null | undefined, said: Said): Observation[] =>
  [...(text ?? "").matchAll(TOKEN)].map(([token]) => ({ token, said }));

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const saids: ReadonlySet<unknown> = new Set<Said>(["human", "ai_assisted", "ai_generated"]);
const isSaid = (value: unknown): value is Said => saids.has(value);

/** Names of accounts. Outside of a profile they have no mark, except that agents are called agents. */
const names: ReadonlySet<string> = new Set([
  ...["displayName", "authorName", "withDisplayName", "fromDisplayName", "toDisplayName", "sellerName"],
]);
/** Only their author, and the person responsible, can see drafts. */
const unpublished: ReadonlySet<string> = new Set(["draft", "drafts"]);
/** What an agent's operator sees of it. */
const agents: ReadonlySet<string> = new Set(["agent", "agents"]);

/**
 * Each token in a response of the API, with the mark next to it: that of its object, such as a post, or that of its field. A text
 * in an object without marks has those of the object around it, and counts as a person's if there is none.
 */
export function marksIn(value: unknown, around: Said = "human"): Observation[] {
  if (typeof value === "string") return observe(value, around);
  if (Array.isArray(value)) return value.flatMap((item) => marksIn(item, around));
  if (!isObject(value)) return [];
  const { provenance, isAiGenerated, aiGeneratedFields } = value;
  const own = isSaid(provenance) ? provenance : isAiGenerated === undefined ? around : marked(isAiGenerated);
  const isAgent =
    [value.isAgent, value.authorIsAgent, value.withIsAgent, value.role === "agent"].includes(true) ||
    isObject(value.operator) ||
    // Of a live stream, the mark says whether an agent is live.
    ("hlsUrl" in value && value.isAiGenerated === true);
  return Object.entries(value).flatMap(([field, item]) => {
    if (unpublished.has(field)) return [];
    // A product's mark covers all that it shows, and doesn't say whether an agent or a person sells it.
    if (field === "sellerName" && own === "ai_generated") return [];
    const fieldMark = value[`${field}Provenance`] ?? value[field.replace(/Title$/, "Provenance")];
    const said = Array.isArray(aiGeneratedFields)
      ? marked(aiGeneratedFields.includes(field) || (isAgent && names.has(field)))
      : names.has(field)
        ? // What a post quotes has its own mark and its own author.
          marked(isAgent || (!isSaid(provenance) && around === "ai_generated"))
        : isSaid(fieldMark)
          ? fieldMark
          : own;
    // The account that reposted it didn't write it.
    return marksIn(item, agents.has(field) ? "ai_generated" : field === "repostedBy" ? "human" : said);
  });
}

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;
const childrenOf = (node: Node): Node[] => ("childNodes" in node ? node.childNodes : []);
const attributeOf = (node: Node, name: string): string =>
  ("attrs" in node && node.attrs.find((attribute) => attribute.name === name)?.value) || "";
const textOf = (node: Node): string =>
  node.nodeName === "#text"
    ? (node as DefaultTreeAdapterTypes.TextNode).value
    : childrenOf(node).map(textOf).join("");

/** What people see of a page as one thing: a post, a comment, a product. */
const cards: ReadonlySet<string> = new Set(["article", "li", "tr", "main"]);

/** An item of a gallery, which is nothing but the button that opens the picture, belongs to its post's card. */
function isCard(node: Node): boolean {
  const [only, ...others] = childrenOf(node);
  const isOfGallery = only?.nodeName === "button" && others.length === 0;
  return cards.has(node.nodeName) && !isOfGallery;
}

function badgeOf(element: Node): Said | null {
  const title = attributeOf(element, "title");
  if (/AI-generated(, verified|, according| or automated)/.test(title)) return "ai_generated";
  if (title.includes("with help from AI")) return "ai_assisted";
  return element.nodeName === "span" && textOf(element) === "AI agent" ? "ai_generated" : null;
}

/** Each token that a page of the app shows, with the first badge in the same line or else in the same card. */
export function seenIn(html: string): Observation[] {
  const badges = new Map<Node, Said>();
  const texts: { text: string; line: Node | null; card: Node }[] = [];
  const visit = (node: Node, card: Node, line: Node | null) => {
    if (node.nodeName === "script" || node.nodeName === "head") return;
    const [ownCard, ownLine] = isCard(node) ? [node, null] : [card, node.nodeName === "p" ? node : line];
    const badge = badgeOf(node);
    if (badge !== null)
      for (const place of [ownCard, ownLine]) if (place && !badges.has(place)) badges.set(place, badge);
    const text = node.nodeName === "#text" ? textOf(node) : attributeOf(node, "alt");
    if (text !== "") texts.push({ text, line: ownLine, card: ownCard });
    for (const child of childrenOf(node)) visit(child, ownCard, ownLine);
  };
  const document: Node = parse(html);
  visit(document, document, null);
  return texts.flatMap(({ text, line, card }) =>
    observe(text, (line && badges.get(line)) ?? badges.get(card) ?? "human"),
  );
}

/** What a profile's header says of its fields: each name of a field in the line of its badge. */
export function profileMarksIn(html: string): { text: string; isAgent: boolean; fields: string } {
  const [header] = find(
    parse(html),
    ({ nodeName, parentNode }) => nodeName === "header" && isWithin(parentNode, "main"),
  );
  if (!header) throw new Error("a profile has no header");
  const isBadge = (element: Element) => badgeOf(element) !== null;
  const lines = find(header, (element) => element.nodeName === "p" && find(element, isBadge).length > 0).map(
    textOf,
  );
  return {
    text: textOf(header),
    isAgent: lines.some((line) => line.includes("AI agent")),
    fields: lines.filter((line) => line.includes("AI-generated")).join(),
  };
}

const isWithin = (node: Node | null, name: string): boolean =>
  node !== null && (node.nodeName === name || ("parentNode" in node && isWithin(node.parentNode, name)));

function find(node: Node, is: (element: Element) => boolean): Element[] {
  const own = "attrs" in node && is(node) ? [node] : [];
  return [...own, ...childrenOf(node).flatMap((child) => find(child, is))];
}

/** The text of a page's link preview, whose description begins with the mark. */
export function previewIn(html: string): Observation[] {
  const meta = (property: string) =>
    find(parse(html), (element) => attributeOf(element, "property") === property)
      .map((element) => attributeOf(element, "content"))
      .join("");
  const description = meta("og:description");
  const said = /^AI (agent|-)|^AI-generated/.test(description)
    ? "ai_generated"
    : description.startsWith("AI-assisted")
      ? "ai_assisted"
      : "human";
  return observe(`${meta("og:title")} ${description}`, said);
}

const sourceTypes: Record<string, Said> = {
  compositeWithTrainedAlgorithmicMedia: "ai_assisted",
  trainedAlgorithmicMedia: "ai_generated",
};
export const sourceTypeIn = (text: string | undefined): Said =>
  sourceTypes[/digitalsourcetype\/(\w+)/.exec(text ?? "")?.[1] ?? ""] ?? "human";

/** Each token in a page's structured data, with the `digitalSourceType` of its object or of the one around it. */
export function structuredIn(html: string): Observation[] {
  const scripts = find(parse(html), (element) => attributeOf(element, "type") === "application/ld+json");
  if (scripts.length === 0) throw new Error("a page has no structured data");
  return scripts.flatMap((script) => sourceTypesIn(JSON.parse(textOf(script)), "human"));
}

function sourceTypesIn(value: unknown, around: Said): Observation[] {
  if (typeof value === "string") return observe(value, around);
  if (Array.isArray(value)) return value.flatMap((item) => sourceTypesIn(item, around));
  if (!isObject(value)) return [];
  // A comment isn't what its post is, nor is a post what it quotes.
  const own =
    typeof value.digitalSourceType === "string"
      ? sourceTypeIn(value.digitalSourceType)
      : /Comment|Posting/.test(String(value["@type"]))
        ? "human"
        : around;
  return Object.values(value).flatMap((item) => sourceTypesIn(item, own));
}

const words: [RegExp, Said][] = [
  [/AI-generated/, "ai_generated"],
  [/Written with AI's help/, "ai_assisted"],
];
const wordsIn = (line: string): Said => words.find(([word]) => word.test(line))?.[1] ?? "human";

/** Each token in a page as Markdown, with the label of its section; that of a product is on its own line. */
export function inMarkdown(markdown: string): Observation[] {
  return markdown.split(/^(?=#{1,3} )/m).flatMap((section) => {
    const lines = section.split("\n");
    const isProduct = (line: string) => line.startsWith("Product");
    const label = lines.find((line) => / · \d{4}-|Label: /.test(line)) ?? "";
    return lines.flatMap((line) => observe(line, wordsIn(isProduct(line) ? line : label)));
  });
}

const provenanceIn = (marks: readonly (string | undefined)[]): Said =>
  (["ai_generated", "ai_assisted"] as const).find((name) => marks.includes(name)) ?? "human";

export const feedFormats = ["rss", "atom", "json"] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** Each token in a feed, with the category of its entry; in what the entry quotes, with the label there. */
export function inFeed(format: FeedFormat, text: string): Observation[] {
  if (format === "json")
    return ((JSON.parse(text) as { items?: { tags?: string[] }[] }).items ?? []).flatMap((item) =>
      withQuote(JSON.stringify(item), /Quoting .*?:\\n.*?"/s, provenanceIn(item.tags ?? [])),
    );
  const [item, category] =
    format === "rss"
      ? [/<item>.*?<\/item>/gs, /<category[^>]*>([^<]*)</g]
      : [/<entry>.*?<\/entry>/gs, /<category term="([^"]*)"/g];
  return (text.match(item) ?? []).flatMap((entry) =>
    withQuote(
      entry,
      /blockquote cite=.*?\/blockquote/s,
      provenanceIn([...entry.matchAll(category)].map(([, name]) => name)),
    ),
  );
}

function withQuote(entry: string, quote: RegExp, said: Said): Observation[] {
  const [quoted = ""] = quote.exec(entry) ?? [];
  // In HTML, labels have their apostrophes escaped.
  const words = quoted.replaceAll("&#39;", "'");
  return [...observe(entry.replace(quoted, ""), said), ...observe(quoted, wordsIn(words))];
}
