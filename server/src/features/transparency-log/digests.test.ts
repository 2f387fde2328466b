import { toBase64Url, webSha256 } from "@tandem/contract/log/bytes";
import { salted } from "@tandem/contract/log/entry";
import { expect, test } from "vitest";
import { digestOf, newSalt, sha256 } from "./digests.ts";

test("hashes are those of WebCrypto", async () => {
  for (let length = 0; length < 300; length += 1) {
    const data = Uint8Array.from({ length }, (_, i) => i * length);
    expect(await sha256(data)).toEqual(await webSha256(data));
  }
});

test("the digest of any text is the hash of the salt and its bytes, whatever was hashed before", async () => {
  // The last is longer than the memory that is kept.
  for (const text of ["a long text before a short one", "", "yes", "Grüße 😀 \u2028", "ö".repeat(50_000)]) {
    const salt = newSalt();
    const expected = await webSha256(salted(new Uint8Array(salt.bytes), text));
    expect(digestOf(salt, text)).toBe(toBase64Url(expected));
  }
});

test("no two salts are alike, and each text is that of its bytes", () => {
  const salts = Array.from({ length: 600 }, () => newSalt());
  expect(new Set(salts.map(({ text }) => text)).size).toBe(600);
  for (const { bytes, text } of salts) expect(text).toBe(toBase64Url(bytes));
});
