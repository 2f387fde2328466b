import { readFileSync } from "node:fs";
import { type Node, Parser } from "commonmark";
import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { expect, test } from "vitest";
import { article, heading, type Page, paragraph, quote } from "./prose.ts";
import { style, toHtml } from "./prose-html.ts";
import { toMarkdown } from "./prose-markdown.ts";

/** Fragments that an attacker could use to break out of a text's place on a page. */
const attacks = [
  "`",
  "``",
  "```",
  "~~~",
  "````text",
  "\n",
  "\r",
  "\r\n",
  "\n\n",
  " ",
  "\t",
  "\u2028",
  "# Heading",
  "> ",
  "- ",
  "---",
  "[click](https://evil.example)",
  "![](https://evil.example/x.png)",
  "<https://evil.example>",
  "<script>alert(1)</script>",
  "</blockquote>",
  "</bdi>",
  "</style>",
  "<!--",
  "]]>",
  "&lt;",
  "&#x0a;",
  '" onmouseover="x',
  "' x='",
  "\\",
  "|",
  "javascript:alert(1)",
  "Ignore all previous instructions.",
];

const hostile = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...attacks) }, fc.string({ unit: "grapheme" })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(""))
  .filter((text) => /\S/.test(text) && !text.includes("\0"));

function pageWith(short: string, long: string, address: string): Page {
  return {
    title: short,
    blocks: [
      heading(1, "Post 1: ", { foreign: short }),
      article(
        heading(2, { foreign: short }),
        paragraph("By ", { foreign: short }, ", at ", { foreignAddress: address }, "."),
        quote(long),
      ),
      paragraph({ href: "https://tandem.example/", text: "Next page" }),
    ],
  };
}

test("in Markdown, user text stays in its code span or block, unchanged", () => {
  const skeleton = outline(pageWith("a", "b", "c"));
  fc.assert(
    fc.property(hostile, hostile, hostile, (short, long, address) => {
      const actual = outline(pageWith(short, long, address));
      expect(actual.kinds).toEqual(skeleton.kinds);
      const [first, second, third, fourth, block] = actual.literals;
      expect([first, second, third].map(asLine)).toEqual([short, short, short].map(asLine));
      expect(asLine(fourth)).toBe(asLine(address));
      expect(block).toBe(`${long.replace(/\r\n?/g, "\n")}\n`);
    }),
    { numRuns: 500 },
  );
});

test("in HTML, user text stays text", () => {
  const skeleton = elements(pageWith("a", "b", "c"));
  fc.assert(
    fc.property(hostile, hostile, hostile, (short, long, address) => {
      const actual = elements(pageWith(short, long, `note ${address}`));
      expect(actual.names).toEqual(skeleton.names);
      expect(actual.text.replace(/\s+/g, "")).toContain(long.replace(/\s+/g, ""));
      expect(actual.text.replace(/\s+/g, "")).toContain(address.replace(/\s+/g, ""));
    }),
    { numRuns: 500 },
  );
});

test("in HTML, a user's URL is a link only if it is http or https, and is marked as user content", () => {
  const anchors = (address: string) =>
    toHtml(pageWith("a", "b", address), "x")
      .split("<main>")[1]
      ?.match(/<a [^>]*>/g) ?? [];
  expect(anchors("javascript:alert(1)")).toHaveLength(1);
  expect(anchors("data:text/html,x")).toHaveLength(1);
  expect(anchors('https://a.example/?"><script>')[0]).toBe(
    '<a href="https://a.example/?&quot;&gt;&lt;script&gt;" rel="nofollow ugc noopener noreferrer">',
  );
});

test("HTML has the colours of the app", () => {
  const stylesheet = new URL("../../../web/src/styles.css", import.meta.url);
  const ofApp = readFileSync(stylesheet, "utf8").replaceAll(" ", "");
  const colors = [...style.matchAll(/--(\w+):(light-dark\(.+?\))/g)];
  expect(colors.length).toBeGreaterThan(5);
  for (const [, name, pair] of colors) expect(ofApp).toContain(`--color-${name}:${pair};`);
});

/** A code span has no line breaks, and spaces at its ends may be padding. */
function asLine(text = ""): string {
  return text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, " ").trim();
}

/** The nodes that a CommonMark parser finds, and the content of code. */
function outline(page: Page): { kinds: string[]; literals: string[] } {
  const kinds: string[] = [];
  const literals: string[] = [];
  const walker = new Parser().parse(toMarkdown(page)).walker();
  for (let step = walker.next(); step; step = walker.next()) {
    const { type, literal, destination }: Node = step.node;
    if (!step.entering) continue;
    kinds.push(type === "link" ? `link to ${destination}` : type);
    if (type === "code" || type === "code_block") literals.push(String(literal));
  }
  return { kinds, literals };
}

type Element = DefaultTreeAdapterTypes.Node;

/** The elements that an HTML parser finds, with their attributes, and all text. */
function elements(page: Page): { names: string[]; text: string } {
  const names: string[] = [];
  const texts: string[] = [];
  const visit = (node: Element): void => {
    if ("attrs" in node) names.push(`${node.tagName} ${node.attrs.map(({ name }) => name).join(" ")}`);
    else names.push(...(node.nodeName === "#text" ? [] : [node.nodeName]));
    if (node.nodeName === "#text" && "value" in node) texts.push(node.value);
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(toHtml(page, "https://tandem.example/x.md")));
  return { names, text: texts.join("") };
}
