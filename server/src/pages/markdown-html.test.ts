import { parseMarkdown } from "@tandem/contract/markdown/parse";
import { HtmlRenderer, Parser } from "commonmark";
import { tests as examples } from "commonmark-spec";
import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from "parse5";
import { describe, expect, test } from "vitest";
import { htmlOfBlocks } from "./markdown-html.ts";

type Node = DefaultTreeAdapterTypes.Node;

const ours = (markdown: string) =>
  htmlOfBlocks(parseMarkdown(markdown), (name) => `https://tandem.example/${name}`);

/** The same for pages that look the same: whitespace, and links that show their own address, make no difference. */
function normal(html: string): string {
  const fragment = parseFragment(withoutBareLinks(html).replace(/<br ?\/?>\n?/g, "\n"));
  for (const node of fragment.childNodes) simplify(node);
  return serialize(fragment)
    .replace(/[ \n]+/g, " ")
    .replace(/> | </g, (space) => space.trim());
}

const withoutBareLinks = (html: string) =>
  html.replace(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, (link, href: string, text: string) =>
    URL.canParse(text) && (text === href || new URL(text).href === href) ? text : link,
  );

const kept = new Set(["start", "title", "href"]);

function simplify(node: Node): void {
  if (!("childNodes" in node)) return;
  if ("attrs" in node)
    node.attrs = node.attrs
      .filter(({ name }) => kept.has(name))
      .map(({ name, value }) => ({ name, value: URL.canParse(value) ? new URL(value).href : value }));
  for (const child of node.childNodes) simplify(child);
}

describe("CommonMark's examples", () => {
  /** The examples' links lead to other pages of a site, and ours only to whole addresses. */
  const whole = (text: string) =>
    text.replaceAll("→", "\t").replace(/(?<![\w:/<])\/ur[li]/g, "https://a.example/url");

  const readOtherwise = {
    "HTML is text.": [
      ...[
        21, 31, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166,
        167, 168,
      ],
      ...[
        169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188,
        189, 190, 191,
      ],
      ...[
        201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, 613, 614, 615, 616, 617, 623, 625, 626, 627,
        628, 629, 630,
      ],
      ...[631, 642, 643],
    ],
    "Indented text isn't code.": [
      ...[
        1, 2, 3, 5, 6, 7, 8, 18, 36, 48, 69, 85, 100, 107, 110, 111, 112, 114, 115, 116, 117, 118, 134, 211,
        225, 231, 236,
      ],
      ...[252, 253, 254, 257, 264, 270, 271, 272, 273, 274, 278, 286, 287, 288, 289, 290, 313],
    ],
    "Underlined text isn't a heading.": [
      59, 80, 81, 82, 83, 84, 86, 89, 90, 91, 95, 96, 102, 103, 141, 215, 300,
    ],
    "Links have their address next to them.": [
      ...[
        23, 192, 193, 194, 195, 196, 198, 200, 202, 203, 204, 205, 206, 207, 208, 210, 214, 216, 217, 218,
        317, 527, 528,
      ],
      ...[
        529, 530, 532, 533, 534, 535, 537, 538, 539, 540, 541, 542, 543, 544, 545, 549, 550, 553, 554, 555,
        556, 557, 558,
      ],
      ...[559, 560, 561, 562, 563, 564, 565, 566, 567, 568, 569, 570, 571, 592, 593],
    ],
    "Links lead to whole addresses of web pages.": [
      ...[
        22, 484, 485, 486, 487, 489, 492, 495, 496, 498, 499, 500, 501, 502, 504, 522, 596, 597, 598, 599,
        601, 604, 605,
      ],
    ],
    "Pictures are links.": [
      ...[
        517, 520, 531, 572, 573, 574, 575, 576, 577, 578, 579, 580, 581, 582, 583, 584, 585, 586, 587, 588,
        589, 591,
      ],
    ],
    "Entities are text.": [25, 26, 27, 32, 33, 37, 38, 39, 40, 41, 503, 506],
    "A heading without words is text, because an empty heading is invisible.": [79],
    "An address is as it was typed.": [20, 346, 526, 603],
    "Any space ends an address.": [507],
    "A name after an @ is a mention.": [606],
  };
  const others = new Set(Object.values(readOtherwise).flat());
  const supported = examples.filter(({ number }) => !others.has(number));

  test.each(supported)("$number", ({ markdown, html }) => {
    expect(normal(ours(whole(markdown)))).toBe(normal(whole(html)));
  });
});

const beginnings = ["", "", " ", "> ", "- ", "+ ", "1. ", "7) ", "# ", "### ", "```", "~~~", "***"];
const words = "a,b, , c ,*,**,_,__,`,``,\\,[,],(,),é,。,1.".split(",");

/** Lines of all the markup that we have in common with CommonMark. */
const lines = fc
  .tuple(
    fc.array(fc.constantFrom(...beginnings), { maxLength: 3 }),
    fc.array(fc.constantFrom(...words), { maxLength: 12 }),
  )
  .map((parts) => parts.flat().join(""));

/** Headings without words, indented code, underlined headings, and links. */
const leftOut = /(?:^|[ >.)*+-])#+[ #]*$|^[ >.)*+\d-]* {4}|^[ >]*-[ -]*$|\]\(/m;

test("any markup reads as CommonMark's own parser reads it", () => {
  const reference = (markdown: string) => new HtmlRenderer().render(new Parser().parse(markdown));
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 7 }), (parts) => {
      const markdown = parts.join("\n");
      fc.pre(!leftOut.test(markdown));
      expect(normal(ours(markdown))).toBe(normal(reference(markdown)));
    }),
    { numRuns: 2000 },
  );
});

const pieces = fc.constantFrom(
  ..."*,**,_,~~,`,```,[,](,),(,!,<,>,|,\\,\n,\n\n, ,- ,> ,1. ,# ,\n|-|-|\n,\",',&,&#106;,@ada,#tag".split(
    ",",
  ),
  ...[
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>",
    "vbscript:x",
  ],
  ...[
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<a href='javascript:x'>",
    "onclick=x",
    "-->",
  ],
  ...[
    "https://a.example/",
    'https://a.example/"onmouseover="x',
    "http://[::1]",
    "https://",
    "//evil.example",
    "\u0000",
  ],
  ...[
    "[x](javascript:alert(1))",
    "[x](<javascript:alert(1)>)",
    "![x](https://a.example/x.png)",
    "<javascript:x>",
  ],
);
const hostile = fc.oneof(
  fc.array(pieces).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 200 }),
);

const harmless = new Set(
  "p,h1,h2,h3,h4,h5,h6,blockquote,ul,ol,li,pre,code,table,thead,tbody,tr,th,td,hr,br,strong,em,del,a".split(
    ",",
  ),
);
const attributes = new Set(["href", "title", "rel", "start", "align"]);

function expectHarmless(node: Node): void {
  if (!("childNodes" in node)) return;
  if ("attrs" in node) {
    expect(harmless).toContain(node.tagName);
    for (const { name, value } of node.attrs) {
      expect(attributes).toContain(name);
      if (name === "href") expect(new URL(value).protocol).toMatch(/^https?:$/);
    }
  }
  node.childNodes.forEach(expectHarmless);
}

test("nothing executable gets through", () => {
  fc.assert(
    fc.property(hostile, (markdown) => expectHarmless(parseFragment(ours(markdown)))),
    { numRuns: 3000 },
  );
});
