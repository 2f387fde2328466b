import { bytesOf, toBase64Url, webSha256 } from "@tandem/contract/log/bytes";
import { salted } from "@tandem/contract/log/entry";
import { leafHash, rootOf } from "@tandem/contract/log/merkle";
import { expect, test } from "vitest";
import { digestOf, leafHashOf, newSalt, rootOfHashes, sha256 } from "./digests.ts";

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

test("leaves and roots are those of the contract, which the vectors of RFC 6962 test", async () => {
  const entries = Array.from({ length: 40 }, (_, i) => `entry ${i}, ö 😀`);
  const leaves = entries.map(leafHashOf);
  expect(leaves).toEqual(await Promise.all(entries.map((entry) => leafHash(bytesOf(entry)))));
  for (let count = 1; count <= leaves.length; count += 1) {
    const first = leaves.slice(0, count);
    expect(rootOfHashes(first)).toEqual(await rootOf(first));
  }
});
