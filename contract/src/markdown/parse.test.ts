import { lowestCpuTime } from "@tandem/testing/measure";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beginningOf } from "./beginning.ts";
import { hostShown } from "./host-shown.ts";
import { parseInlines } from "./inlines.ts";
import { mentioningText } from "./mentions-and-tags.ts";
import { outlineOf } from "./outline.ts";
import { parseMarkdown } from "./parse.ts";
import { plainText } from "./plain.ts";
import { readTexts } from "./read-texts.ts";
import type { Block } from "./tree.ts";
import { wordsOf } from "./words.ts";

const kinds = (text: string) => parseMarkdown(text).map(({ kind }) => kind);

/** Pieces of text and markup that can occur in any order. */
const pieces = fc.constantFrom(
  ...[
    "word",
    "Ünï",
    "42",
    "。",
    "👩‍🚀",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "*",
    "**",
    "_",
    "~~",
    "`",
    "```",
    "\\",
    "[",
    "]",
  ],
  ...[
    "(",
    ")",
    "](",
    "!",
    "<",
    ">",
    "> ",
    "- ",
    "1. ",
    "12) ",
    "# ",
    "#",
    "|",
    "\n|-|-|\n",
    ":",
    "---",
    "@ada_l",
    "#tag",
  ],
  ...[
    "https://a.example/x_y",
    "[x](https://a.example)",
    "![p](https://a.example/p.png)",
    "~~~js\n",
    '"t"',
    "&amp;",
    "<b>",
  ],
);
const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));

/** Everything that people see or find in a link. */
const shownIn = (blocks: readonly Block[]): string => decodeURI(JSON.stringify(blocks));

describe("Markdown", () => {
  test("loses no words", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = shownIn(parseMarkdown(text));
        for (const word of ["word", "Ünï", "。", "👩‍🚀", "ada_l", "tag", "a.example", "js"])
          expect(shown.split(word).length).toBeGreaterThanOrEqual(text.split(word).length);
      }),
      { numRuns: 2000 },
    );
  });

  test("of texts without markup is the text", () => {
    const plain = fc.array(
      fc.constantFrom(
        "a",
        "é",
        ", ",
        ". ",
        "?",
        "\n",
        " (b) ",
        "&",
        '"',
        "c-d",
        "snake_case",
        "5 > 3",
        "2 * 3",
        "~7",
      ),
    );
    fc.assert(
      fc.property(plain, (parts) => {
        const text = parts.join("");
        // What begins with one of these is a quote or list.
        fc.pre(!/^[ ]*>/m.test(text));
        const lines = (of: string) =>
          of
            .split("\n")
            .map((line) => line.trim())
            .filter(Boolean);
        expect(lines(plainText(text))).toEqual(lines(text));
      }),
    );
  });

  test.each([
    ["#tag at the beginning", ["paragraph"]],
    ["# Heading", ["heading"]],
    ["#", ["paragraph"]],
    ["Title\n---\nText", ["paragraph", "rule", "paragraph"]],
    ["    not code", ["paragraph"]],
    ["1986. What a year!", ["list"]],
    ["It was\n1986. What a year!", ["paragraph"]],
    ["-5 degrees", ["paragraph"]],
    ["a | b\n--|--\n1 | 2\n\nText", ["table", "paragraph"]],
    ["a | b\n--|--|--\n", ["paragraph"]],
    ["<b>bold</b>", ["paragraph"]],
  ])("has these blocks: %j", (text, expected) => expect(kinds(text)).toEqual(expected));

  test.each([
    [
      "snake_case_name and @ada_l_ and https://a.example/x_y_z",
      ["snake_case_name and ", "@ada_l_", " and ", "https://a.example/x_y_z"],
    ],
    ["**https://a.example/**", ["https://a.example/"]],
    ["\\@ada \\#tag \\*a\\*", ["@ada #tag *a*"]],
    ["`@ada` <b>", ["@ada", " <b>"]],
    ["[@ada](https://a.example)", ["@ada"]],
    ["![A loom](https://a.example/x.png)", ["A loom"]],
    ["[https://a.example/](https://a.example/)", ["https://a.example/"]],
    ["[x](javascript:alert(1))", ["[x](javascript:alert(1))"]],
    ["[x](/posts/1)", ["[x](/posts/1)"]],
    ["&lt;&#42;", ["&lt;&#42;"]],
    ["~5 or ~6, not ~~7~~", ["~5 or ~6, not ", "7"]],
  ])("has these texts: %j", (text, expected) => {
    const [block] = parseMarkdown(text);
    const children = block && "children" in block ? block.children : [];
    const flat = (inline: unknown): string[] => {
      if (typeof inline === "string") return [inline];
      const { text, children } = inline as { text?: string; children?: unknown[] };
      return children ? children.flatMap(flat) : [text ?? ""];
    };
    expect(children.flatMap(flat)).toEqual(expected);
  });

  test("isn't nested deeper than browsers like", () => {
    const depth = (value: unknown): number =>
      typeof value === "object" && value ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    for (const text of [
      "*a _b ".repeat(800) + "b_ a* ".repeat(800),
      ">".repeat(5000),
      "- ".repeat(3000),
      "*".repeat(9999),
    ])
      expect(depth(parseMarkdown(text))).toBeLessThan(80);
  });

  test("is parsed quickly, also if it is hostile", async () => {
    const hostile = [
      ...[
        "*a ",
        "*a **b ",
        "a*",
        "**a*b",
        "[",
        "[a](",
        "[a](b",
        "[a](http://b ",
        "![",
        "`",
        "`a``b```",
        "\\",
        "<http://a",
      ],
      ...[
        "~~a ~~b",
        "_a __b ",
        "> ",
        ">",
        "- ",
        "1. ",
        "- a\n",
        "> a\n",
        "|a|b\n|-|-\n",
        "|",
        "@ab ",
        "#ab",
        "https://a",
      ],
      ...[
        "https://a](",
        "[https://a](",
        "[a](http://b(",
        "# ",
        "```\n",
        "\t",
        "*_~`[",
        '[a](http://b "',
        "[a](<",
        "- - - a\n",
      ],
      ...["*a* ", "[a](http://b.c) ", "[[a](http://b.c) ", "[a](http://b (", "\\|", "|\\"],
    ].map((one) => one.repeat(10_000 / one.length));
    const parse = () => {
      for (const text of hostile) readTexts(text);
    };
    expect(await lowestCpuTime(4000, parse)).toBeLessThan(4000);
  });
});

describe("the beginning of a Markdown text", () => {
  const beginning = (text: string, characters = 20, lines = 3) => {
    const { blocks, isCut } = beginningOf(text, { characters, lines });
    return wordsOf(blocks) + (isCut ? "…" : "");
  };

  test.each([
    ["Short enough.", "Short enough."],
    ["**Exactly** twenty here.", "Exactly twenty here."],
    ["Ends **between two words** of it.", "Ends between two…"],
    ["Incomprehensibilities", "Incomprehensibilitie…"],
    ["1\n2\n3\n4", "1\n2\n3…"],
    ["1\n\n2\n\n3\n\n4", "1\n2\n3…"],
    ["- 1\n- 2\n- 3\n- 4", "1\n2\n3…"],
    ["> 1\n>\n> 2\n\n3\n\n4", "1\n2\n3…"],
    ["At https://example.org/x", "At…"],
    ["At [here](https://example.org/xxxxxxxxxxxxxxxxxx)!", "At here!"],
    ["Hello @ada_l and @bob", "Hello @ada_l and…"],
    [`Begins.\n\n${"x".repeat(100)}\n\nThe end.`, "Begins.\nxxxxxxxxxxxxx…"],
  ])("of %j is %j", (text, expected) => expect(beginning(text)).toBe(expected));

  test.each([
    ["list items", "-\n"],
    ["code", "```\n```\n"],
    ["quotes", ">\n\n"],
  ])("counts empty %s as lines", (_, block) => {
    const { blocks, isCut } = beginningOf(block.repeat(100), { characters: 20, lines: 3 });
    const items = blocks.flatMap((one) => (one.kind === "list" ? one.items : [one]));
    expect([items.length, isCut]).toEqual([3, true]);
  });

  test("is never longer than it may be, and is cut if something is missing", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { blocks, isCut } = beginningOf(text, { characters: 30, lines: 3 });
        if (!isCut) expect(wordsOf(blocks)).toBe(plainText(text));
        expect([...wordsOf(blocks).replaceAll("\n", "")].length).toBeLessThanOrEqual(30);
        expect(
          JSON.stringify(blocks).match(/"kind":"(?!strong|emphasis|deleted)/g)?.length ?? 0,
        ).toBeLessThan(50);
      }),
      { numRuns: 1000 },
    );
  });
});

test("readers see the host of a link that looks as if it led elsewhere", () => {
  const host = (text: string) =>
    parseInlines(text).map((one) => typeof one !== "string" && one.kind === "labelled" && hostShown(one));
  expect(host("[bank.example](https://evil.example/)")).toEqual(["evil.example"]);
  expect(host("[**https://bank.example**/login](https://bank.example.evil.example/)")).toEqual([
    "bank.example.evil.example",
  ]);
  expect(host("[www.bank.example](https://bank.example/)")).toEqual([null]);
  for (const name of [
    "bank.example",
    "bank。example",
    "bank．example",
    "bank․example",
    "192.168.1.1",
    "example",
  ])
    expect([name, host(`[${name}](https://login.bank.example/)`)]).toEqual([
      name,
      [name === "example" ? null : "login.bank.example"],
    ]);
  expect(host('[Read on](https://evil.example "https://bank.example")')).toEqual(["evil.example"]);
  expect(host("[Read on](https://bank.example/)")).toEqual([null]);
});

test("who is mentioned is who is shown as mentioned", () => {
  expect(mentioningText("Hi @ada, `@bob`\n\n```\n@carol\n```\n- **@dan**, \\@eve")).toBe("@ada @dan");
  expect(mentioningText("*hey*@bob [@eve](https://a.example) @per**son2**")).toBe("@bob @per");
});

test("what markup hides is read, too", () => {
  expect(readTexts("evil.**example**")).toContain("evil.example");
  expect(readTexts("[x](https://evil\\.example)")).toContain("https://evil.example/");
  // In a bio, tildes aren't the beginning of code.
  expect(readTexts("~~~\n[x](https://evil\\.example)")).toContain("https://evil.example/");
  expect(readTexts("Nothing special: 1 + 1 = 2.")).toHaveLength(1);
});

test("headings leave out no level", () => {
  const blocks = parseMarkdown("### a\n# b\n###### c\n## d\n> ### e");
  expect([...outlineOf(blocks, 3).values()]).toEqual([3, 3, 4, 4, 5]);
});

test("many spaces below a table's head take no longer than other text", async () => {
  const text = `|a|\n|-${" ".repeat(40_000)}x`;
  expect(await lowestCpuTime(200, () => void parseMarkdown(text))).toBeLessThan(200);
});

test("a wide table has only the cells that were typed", () => {
  const text = `${"|a".repeat(1600)}\n${"|-".repeat(1600)}\n${"x\n".repeat(1800)}`;
  const [table] = parseMarkdown(text);
  const cells = table?.kind === "table" ? table.rows.flat() : [];
  expect(cells).toHaveLength(1600 + 1800);
});
