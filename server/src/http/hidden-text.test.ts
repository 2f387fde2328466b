import { DAY } from "@tandem/contract/durations";
import { hiddenCharacter, withoutHidden } from "@tandem/contract/hidden-text";
import { alternatives, type JsonSchemaNode } from "@tandem/contract/json-schema";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { publishedFields } from "@tandem/contract/schema";
import type { Person } from "@tandem/testing/callers";
import { type Inputs, makeFullUser } from "@tandem/testing/inputs";
import { lowestCpuTime } from "@tandem/testing/measure";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** A text from the hexadecimal code points of its characters, which keeps invisible ones readable here. */
const spelt = (codes: string) =>
  String.fromCodePoint(...codes.split(" ").map((code) => Number.parseInt(code, 16)));
const tags = (word: string) =>
  [...word].map((one) => (0xe0000 + Number(one.codePointAt(0))).toString(16)).join(" ");
const flag = (region: string) => spelt(`1f3f4 ${tags(region)} e007f`);

/** Ordinary texts with the hidden characters that they need. */
const needed: Record<string, string> = {
  "Persian, whose parts of words don't join": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
  "an Arabic letter in the form it has at the start": "\u0647\u200d",
  "Hindi, half a letter": "\u0915\u094d\u200d\u0937",
  "Hindi, a virama that is seen": "\u0915\u094d\u200c\u0937",
  "Sinhala, letters on one another": "\u0dc1\u0dca\u200d\u0dbb\u0dd3 \u0dbd\u0d82\u0d9a\u0dcf",
  "Bengali, a ya after ra": "\u09b0\u200d\u09cd\u09af",
  "Malayalam, a chillu of old": "\u0d28\u0d4d\u200d",
  "Khmer, between words": "\u1781\u17d2\u1798\u17c2\u179a\u200b\u1797\u17b6\u179f\u17b6",
  "Thai, between words": "\u0e20\u0e32\u0e29\u0e32\u200b\u0e44\u0e17\u0e22",
  "Mongolian, a letter's variant": "\u182a\u1826\u182d\u1826\u180b \u182a\u1820\u180e\u1820",
  "Japanese, a name's own ideograph": "\u845b\u{e0100}\u57ce",
  "Hebrew, with marks of direction":
    "\u05e9\u05dc\u05d5\u05dd C++\u200e \u2067abc\u2069 \u05e2\u05d5\u05dc\u05dd",
  "Hebrew, marks kept apart": "\u05d9\u05b0\u034f\u05b7",
  "German, a word that may be parted": "Auf\u00adla\u00adge",
  "a family": spelt("1f468 200d 1f469 200d 1f467 200d 1f466"),
  "a kiss, in colours": spelt("1f9d1 1f3fb 200d 2764 fe0f 200d 1f48b 200d 1f9d1 1f3ff"),
  "a heart on fire and a rainbow flag": spelt("2764 fe0f 200d 1f525 20 1f3f3 fe0f 200d 1f308"),
  "a detective, a polar bear, a pirate": spelt(
    "1f575 1f3fd 200d 2642 fe0f 20 1f43b 200d 2744 fe0f 1f3f4 200d 2620 fe0f",
  ),
  keycaps: spelt("31 fe0f 20e3 23 fe0f 20e3 2a fe0f 20e3"),
  "flags of regions": flag("gbeng") + flag("gbsct") + flag("gbwls"),
  "a flag of a country, and signs as text": spelt("1f1e9 1f1ea 20 2122 fe0f 263a fe0e"),
  "lines, tabs, private signs": "a\tb\r\nc\u2028d \uf8ff",
};

/** Characters that are never needed. */
const never = [
  ...[
    "\u0001",
    "\u0007",
    "\u001b",
    "\u007f",
    "\u0085",
    "\u009f",
    "\ufeff",
    "\u2060",
    "\u2064",
    "\u206a",
    "\u206f",
  ],
  ...[
    "\u202a",
    "\u202b",
    "\u202c",
    "\u202d",
    "\u202e",
    "\u115f",
    "\u1160",
    "\u3164",
    "\uffa0",
    "\ufff9",
    "\ufffb",
  ],
  ...["\u17b4", "\ufdd0", "\uffff", "\u{1bca0}", "\u{1d173}", "\u{e0001}", "\u{e0041}", "\u{e0fff}"],
];
/** Characters that Latin letters don't need. */
const amongLatin = [
  ...[
    "\u200b",
    "\u200c",
    "\u200d",
    "\u200e",
    "\u200f",
    "\u061c",
    "\u2066",
    "\u2068",
    "\u2069",
    "\u180e",
    "\u180b",
  ],
  // The last one ends a flag at any place: then what follows is reported instead.
  ...["\ufe00", "\ufe0e", "\ufe0f", "\u{e0100}", "\u{e01ef}", "\u{e007f}"],
];
/** Two in a row, incomplete sequences, and lookalikes. */
const misused = [
  "\u0645\u06cc\u200c\u200c\u062e",
  "\u0915\u094d\u200d\u200d\u0937",
  "\u1781\u200b\u200b\u1797",
  "\u05d0\u200e\u200f\u200e",
  "\u05d0\u2067\u2066a\u2069\u2069",
  "\u05d0\u2067a\nb\u2069",
  "\u05d0\u2066\u2069",
  "\u{1f600}\ufe0f\ufe0f",
  "\u{1f600}\u{e0101}",
  "\u{1f600}\u200d",
  "\u200d\u{1f600}",
  "1\ufe0f2",
  "\u845b\u{e0100}\u{e0101}",
  "Auf\u00ad\u00adlage",
  "Auf\u00ad",
  flag("ustxx"),
  flag("gbeng").slice(0, -2),
  `${flag("gbeng")}\u{e0067}`,
];

const good = fc.constantFrom(...Object.values(needed), "plain", "x", " ", "\u{1f600}", "\u6f22");
const goodTexts = fc.array(good, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(" "));

describe("hidden characters", () => {
  test.each(Object.entries(needed))("are allowed in %s", (_, text) => {
    expect([hiddenCharacter(text), withoutHidden(text)]).toEqual([null, text]);
  });

  test("are allowed where they are needed, in any context", () => {
    fc.assert(
      fc.property(goodTexts, (text) => hiddenCharacter(text) === null && withoutHidden(text) === text),
    );
  });

  test("that are never needed are found at any place in any text, and named", () => {
    fc.assert(
      fc.property(goodTexts, fc.constantFrom(...never), fc.nat(), (text, character, at) => {
        const before = [...text].slice(0, at % ([...text].length + 1));
        const found = hiddenCharacter(before.join("") + character + text.slice(before.join("").length));
        // It can break an earlier sequence: then the joiner that lost its letter is found first.
        expect(found?.place).toBeGreaterThan(0);
        expect(found?.place).toBeLessThanOrEqual(before.length + 1);
      }),
    );
    expect(hiddenCharacter("\u{1f600}a\u202e")).toEqual({ name: "U+202E", place: 3 });
    expect(hiddenCharacter("\u0007")).toEqual({ name: "U+0007", place: 1 });
  });

  test.each(amongLatin.map((one) => [one.codePointAt(0)?.toString(16), one]))(
    "%s is found in Latin",
    (_, one) => {
      for (const text of [
        one,
        `a${one}`,
        `${one}a`,
        `a${one}b`,
        `a${one}${one}b`,
        `1${one}2`,
        `\u0416${one}\u0416`,
      ])
        expect(hiddenCharacter(text)).not.toBeNull();
    },
  );

  test.each(misused.map((text) => [inAscii(text), text]))("%s contains one too many", (_, text) => {
    expect(hiddenCharacter(text)).not.toBeNull();
  });

  test("are removed from imported text, without visible ones", () => {
    expect(withoutHidden(`\ufeffpl\u200bain \u202etext\u{e0041}`)).toBe("plain text");
    const any = fc.array(fc.oneof(good, fc.constantFrom(...never, ...amongLatin, ...misused)), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(any, (parts) => {
        const text = parts.join("");
        const shown = withoutHidden(text);
        expect(hiddenCharacter(shown)).toBeNull();
        expect(seen(shown)).toBe(seen(text));
      }),
    );
  });

  test("are found in linear time", async () => {
    const pieces = [
      ...Object.values(needed),
      ...never,
      ...amongLatin,
      ...misused,
      "x",
      "\u05d0\u2066",
      "\u05d0a\u2069",
    ];
    for (const piece of pieces) {
      const texts = [
        piece.repeat(10_000 / piece.length),
        `\u05d0\u2066${piece.repeat(10_000 / piece.length)}`,
      ];
      const look = () => {
        for (const text of texts) withoutHidden(text);
      };
      // Usually some milliseconds; quadratic time would take seconds.
      expect(await lowestCpuTime(500, look)).toBeLessThan(500);
    }
  });
});

/** A poll with this option. */
const pollWith = (option: string) => ({
  options: [option, "Other"],
  closesAt: new Date(Date.now() + DAY).toISOString(),
});

describe("hidden characters", () => {
  let tandem: Tandem;
  let person: Person;
  let inputs: Inputs;
  beforeAll(async () => {
    tandem = await startTandem();
    ({ person, inputs } = await makeFullUser(tandem));
  });
  afterAll(() => tandem.stop());

  const fields = operationList.flatMap((op) =>
    publishedFields(op.body).map((name) => [`${op.name}.${name}`, op, name] as const),
  );

  test.each(fields)("are refused in %s, with name and place", async (_, op, field) => {
    const [given] = alternatives(op.body.properties[field] as JsonSchemaNode);
    const node = given?.items ?? given;
    const start = node?.format === "web-address" ? "https://example.org/" : "a\u{1f600}";
    for (const one of ["\u200b", "\u202e", "\u{e0041}", "\ufeff", "\u2066"]) {
      const text = `${start}${one}b`;
      const value = field === "poll" ? pollWith(text) : given?.items ? [text] : text;
      const input = { ...inputs[op.name as OperationName], [field]: value };
      const { status, body } = await person.call(op.name as OperationName, input, { dryRun: true });
      expect([status, body.field]).toEqual([400, field]);
      const name = `U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
      const place = field === "poll" ? "poll.options[0]" : given?.items ? `${field}[0]` : field;
      expect(body.error).toContain(`${place} must not contain ${name} (character ${[...start].length + 1})`);
    }
  });

  test("that are needed are stored and returned", async () => {
    for (const text of Object.values(needed)) {
      const { post } = await person.createPost({ title: "x", body: text });
      expect(post.body).toBe(text);
      const { comment } = await person.createComment({ id: post.id, body: text });
      expect(comment.body).toBe(text);
    }
  });

  test("are allowed in passwords and searches", async () => {
    const username = "hidden_password";
    const password = "\u200bcorrect\u202e horse\u{e0041}";
    const account = { username, email: "hidden@example.org", password };
    expect((await tandem.as.anonymous().call("signUp", account)).status).toBe(200);
    expect((await tandem.as.anonymous().call("logIn", { username, password })).status).toBe(200);
    expect((await person.call("listPosts", { q: "\u200bengine" })).status).toBe(200);
  });
});

/** The visible characters of a text, without knowledge of the rules. */
function seen(text: string): string {
  return text.replace(/[\p{DI}\p{NChar}\ufff9-\ufffb]|(?![\t\n\r])\p{Cc}/gu, "");
}

function inAscii(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}
