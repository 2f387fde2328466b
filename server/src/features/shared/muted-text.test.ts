import { limits } from "@tandem/contract/limits";
import { lowestCpuTime } from "@tandem/testing/measure";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasPhrase, hasWords, MutableText, phraseOf, tagIn, tagKey, tagsOf, wordsOf } from "./muted-text.ts";

const contains = (text: string, word: string) => hasPhrase(new MutableText(text), [phraseOf(wordsOf(word))]);

test("finds whole words and phrases, ignoring case, accents, spacing and hidden characters", () => {
  for (const [text, word] of [
    ["The Engine runs.", "engine"],
    ["ENGINES! and a (steam\n engine)", "Steam Engine"],
    ["Un café, s'il vous plaît", "CAFE"],
    ["a cafe", "Café"],
    ["Straße", "STRASSE"],
    ["ΣΟΦΟΣ", "σοφος"],
    ["don’t panic", "don't"],
    ["I like C++.", "c++"],
    ["see #Engines", "engines"],
    ["spoi\u200bler", "spoiler"],
    ["ｆｕｌｌ width", "full"],
    ["今日は京都へ行く", "京都"],
    ["a 🦆 here", "🦆"],
    ["from 🇩🇪", "🇩🇪"],
    ["**bold**", "bold"],
  ] as const)
    expect([text, word, contains(text, word)]).toEqual([text, word, true]);
  for (const [text, word] of [
    ["engines", "engine"],
    ["steamengine", "engine"],
    ["steam. Engine", "steam engine"],
    ["I like C.", "c++"],
    ["naïveté", "naive"],
    ["under_score", "score"],
    ["京", "京都"],
  ] as const)
    expect([text, word, contains(text, word)]).toEqual([text, word, false]);
});

test("every word of a text between spaces is found in it, however it is written", () => {
  const word = fc.stringMatching(/^[a-zà-ÿ0-9]{1,8}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(), (words, at) => {
      const chosen = words[at % words.length] ?? "";
      expect(contains(words.join(" "), chosen.toUpperCase())).toBe(true);
      expect(contains(words.map((one) => `${one}x`).join(" "), `${chosen}y`)).toBe(false);
    }),
  );
});

test.each(["\u0f71\u05b0", "\uff9e\u05b0", "ﷺ", "a ", "Ünï "])(
  "takes linear time for a text of nothing but %j",
  async (piece) => {
    const text = piece.repeat(limits.postBody / piece.length);
    const find = async () => contains(text, "zebra");
    expect(await lowestCpuTime(40, find)).toBeLessThan(40);
  },
);

test("punctuation alone can't be muted", () => {
  for (const text of [".", "++", " # ", "—", "\u200b"])
    expect([text, hasWords(wordsOf(text))]).toEqual([text, false]);
  for (const text of ["a", "7", "🦆", "🇩🇪", "京"])
    expect([text, hasWords(wordsOf(text))]).toEqual([text, true]);
});

test("finds tags as the app shows them, ignoring case and accents", () => {
  expect(tagsOf("On #Café and #c3, but not in a#b or # heading or &#39;")).toEqual(["CAFE", "C3"]);
  expect([tagIn(" #Looms "), tagIn("looms"), tagIn("#a b"), tagIn("#12"), tagIn("#")]).toEqual([
    "Looms",
    "looms",
    null,
    null,
    null,
  ]);
  expect(tagKey("Café")).toBe("CAFE");
});
