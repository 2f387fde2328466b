import { expect, test } from "vitest";
import { withShared } from "./shared-text.ts";

const empty = { title: "", body: "", url: "" };
const written = { title: "Mine", body: "My words", url: "https://mine.example/" };
const link = "https://example.org/a";

test.each([
  [empty, { title: "Bread", text: "Good.", url: link }, { title: "Bread", body: "Good.", url: link }],
  [empty, { text: link }, { title: "", body: "", url: link }],
  [empty, { title: "Bread", text: `Bread\n${link}` }, { title: "Bread", body: "", url: link }],
  [empty, { text: `See ${link}` }, { title: "", body: "See", url: link }],
  [empty, { text: `See ${link} first` }, { title: "", body: `See ${link} first`, url: "" }],
  [empty, { url: "javascript:alert(1)" }, { title: "", body: "javascript:alert(1)", url: "" }],
  [written, {}, written],
  [
    written,
    { title: "Bread", text: "Good.", url: link },
    { ...written, body: `My words\n\nBread\n\nGood.\n\n${link}` },
  ],
  [written, { title: "Mine", text: "words", url: written.url }, written],
])("%j with what is shared, %j", (draft, shared, expected) => {
  expect(withShared(draft, shared)).toEqual(expected);
});
