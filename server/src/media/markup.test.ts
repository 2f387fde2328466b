import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { containsMarkup } from "./markup.ts";
import { xmpOf } from "./source-type.ts";

test.each([
  "<!DOCTYPE html><title>A page</title>",
  "<html><body>日本</body></html>",
  "<HtMl\nlang=en>",
  "<script>alert(1)</script>",
  "<script\tsrc=//a.example/x.js>",
  "<svg xmlns='http://www.w3.org/2000/svg' onload=alert(1)>",
  "<svg/onload=alert(1)>",
  "<svg></svg>",
  "<iframe src=javascript:alert(1)>",
  "<body onload=alert(1)>",
  "<?php system($_GET[0]);",
  "<?php\r\nphpinfo();",
  "<script>",
])("%s is markup at any position", (text) => {
  const [before, behind] = [Buffer.from("\xff\xd8\0<", "latin1"), Buffer.from("\0\xff\xd9", "latin1")];
  expect(containsMarkup(Buffer.concat([before, Buffer.from(text)]))).toBe(true);
  if (text.length > 16) expect(containsMarkup(Buffer.concat([before, Buffer.from(text), behind]))).toBe(true);
});

test.each([
  xmpOf("trainedAlgorithmicMedia"),
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><html:p>a</html:p><dc:description>a &lt;svg&gt;</dc:description>`,
  "if a < body then a < html > b",
  "<scripture> <svgs> <bodywork/> <htmlx>",
  "PK\x03\x04motion.mp4",
])("%s isn't", (text) => {
  expect(containsMarkup(Buffer.from(text))).toBe(false);
});

test("encoded pixels don't count as markup, even if they spell a tag's first letters", () => {
  const pixels = randomBytes(2 ** 20);
  for (let at = 0; at < pixels.length; at += 1000) pixels.write("<svg \x9c", at, "latin1");
  expect(containsMarkup(pixels)).toBe(false);
});
