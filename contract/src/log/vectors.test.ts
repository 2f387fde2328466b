import { describe, expect, test } from "vitest";
import { type Bytes, bytesOf, fromBase64, toHex } from "./bytes.ts";
import {
  authorContent,
  commentContent,
  contentText,
  entryText,
  operatorContent,
  parsePublished,
  postContent,
} from "./entry.ts";
import { emptyRoot, leafHash, nodeHash, rootOf, verifyConsistency, verifyInclusion } from "./merkle.ts";
import {
  checkpointText,
  keyIdOf,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  signatureLine,
  verifierKey,
} from "./note.ts";
import {
  entriesIn,
  entriesPath,
  entryBundle,
  hashesAt,
  parseTilePath,
  TiledTree,
  tileOf,
  tilePath,
} from "./tiles.ts";

const hex = (text: string): Bytes => Uint8Array.from(Buffer.from(text, "hex"));

/** Test vectors of github.com/transparency-dev/merkle, rfc6962/rfc6962_test.go and proof/verify_test.go (Apache 2.0). */
describe("RFC 6962 as tested by transparency-dev/merkle", () => {
  const leaves = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
  ];
  const roots = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ].map(hex);
  const rootAt = (size: number) => roots[size - 1] as Bytes;
  const hashes = () => Promise.all(leaves.map((leaf) => leafHash(hex(leaf))));

  test("hashes of leaves and nodes", async () => {
    const found = [
      await emptyRoot(),
      await leafHash(new Uint8Array()),
      await leafHash(bytesOf("L123456")),
      await nodeHash(bytesOf("N123"), bytesOf("N456")),
    ];
    expect(found.map(toHex)).toEqual([
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56",
      "aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb",
    ]);
  });

  test("roots of trees", async () => {
    const all = await hashes();
    for (const [i, root] of roots.entries()) expect(await rootOf(all.slice(0, i + 1))).toEqual(root);
  });

  test.each([
    [
      0,
      8,
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      5,
      8,
      [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
    [2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]],
    [
      1,
      5,
      [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      ],
    ],
  ])("the inclusion proof of leaf %i of %i", async (index, size, expected) => {
    const all = await hashes();
    const path = expected.map(hex);
    expect(await new TiledTree(size, async () => all.slice(0, size)).inclusionProof(index)).toEqual(path);
    const leaf = all[index] as Bytes;
    const proven = { index, size, leaf, root: rootAt(size) };
    expect(await verifyInclusion(proven, path)).toBe(true);
    const wrong: [object, Bytes[]][] = [
      [{ index: index - 1 }, path],
      [{ index: index + 1 }, path],
      [{ index: index ^ 2 }, path],
      [{ size: size * 2 }, path],
      [{ size: Math.floor(size / 2) }, path],
      [{ leaf: bytesOf("WrongLeaf") }, path],
      [{ root: await emptyRoot() }, path],
      [{}, [...path, new Uint8Array()]],
      [{}, [...path, proven.root]],
      [{}, [new Uint8Array(), ...path]],
      [{}, [proven.root, ...path]],
      [{}, path.slice(0, -1)],
      ...path.map((_, i): [object, Bytes[]] => [
        {},
        path.map((hash, j) => (i === j ? flipped(hash, 8) : hash)),
      ]),
    ];
    for (const [change, proof] of wrong)
      expect(await verifyInclusion({ ...proven, ...change }, proof), JSON.stringify(change)).toBe(false);
  });

  test.each([
    [
      1,
      8,
      [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
      ],
    ],
    [
      6,
      8,
      [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
    [
      2,
      5,
      [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      ],
    ],
    [
      6,
      7,
      [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      ],
    ],
  ])("the consistency proof from %i to %i leaves", async (from, to, expected) => {
    const all = await hashes();
    const proof = expected.map(hex);
    expect(await new TiledTree(to, async () => all.slice(0, to)).consistencyProof(from)).toEqual(proof);
    const heads = [
      { size: from, root: rootAt(from) },
      { size: to, root: rootAt(to) },
    ] as const;
    const check = (older: object, newer: object, hashes = proof) =>
      verifyConsistency({ ...heads[0], ...older }, { ...heads[1], ...newer }, hashes);
    expect(await check({}, {})).toBe(true);
    const [first] = proof as [Bytes];
    const wrong = [
      check({ size: from - 1 }, {}),
      check({ size: from + 1 }, {}),
      check({ size: from ^ 2 }, {}),
      check({}, { size: to * 2 }),
      check({}, { size: Math.floor(to / 2) }),
      check({ root: bytesOf("WrongRoot") }, {}),
      check({}, { root: bytesOf("WrongRoot") }),
      check({ root: rootAt(to) }, { root: rootAt(from) }),
      check({}, {}, []),
      check({}, {}, [...proof, new Uint8Array()]),
      check({}, {}, [...proof, rootAt(from)]),
      check({}, {}, [...proof, rootAt(to)]),
      check({}, {}, [new Uint8Array(), ...proof]),
      check({}, {}, [rootAt(from), ...proof]),
      check({}, {}, [rootAt(to), ...proof]),
      check({}, {}, [first, ...proof]),
      check({}, {}, proof.slice(0, -1)),
      ...proof.map((_, i) =>
        check(
          {},
          {},
          proof.map((hash, j) => (i === j ? flipped(hash, 16) : hash)),
        ),
      ),
    ];
    expect(await Promise.all(wrong)).toEqual(wrong.map(() => false));
  });

  test("trees of the same size, and no tree in the past", async () => {
    const [a, b] = [
      { size: 1, root: rootAt(1) },
      { size: 1, root: rootAt(2) },
    ];
    const empty = { size: 0, root: await emptyRoot() };
    expect(await verifyConsistency(a, a, [])).toBe(true);
    expect(await verifyConsistency(a, b, [])).toBe(false);
    expect(await verifyConsistency(empty, a, [])).toBe(true);
    expect(await verifyConsistency(empty, a, [a.root])).toBe(false);
    expect(await verifyConsistency(a, empty, [])).toBe(false);
    expect(await verifyConsistency(a, a, [a.root])).toBe(false);
  });
});

describe("canonical JSON (RFC 8785)", () => {
  test("every text that is hashed has its members in order, and no spaces", () => {
    const post = { url: null, title: "Ö \u2028", mediaType: "text", media: null, body: '"', alt: null };
    const entry = { version: 1, time: "", provenance: "human", operator: null, kind: "post", id: 1 } as const;
    const key = { x: "", kty: "OKP", kid: "", crv: "Ed25519" } as const;
    const media = { media: "sha256:00", banner: null };
    const profile = { links: [], displayName: null, bio: null, aiGeneratedFields: ["links"] } as const;
    const texts = [
      postContent(post),
      commentContent({ postId: 1, parentId: null, body: "So it is" }),
      authorContent({ platform: "native", author: "ada_l" }),
      operatorContent("ada_l"),
      contentText("product", { title: "", price: 9.5, imageUrl: null, category: null }, media),
      contentText("profile", profile, media),
      contentText("live", { title: "" }, media),
      contentText("community", { rules: "", pictureIsAi: false, description: "" }, media),
      entryText({ ...entry, content: "", basis: "declared", author: "" }),
      entryText({ time: "", of: "post", kind: "deletion", id: 1 }),
      entryText({ time: "", origin: "", kind: "key", key }),
    ];
    const inOrder = (value: unknown): unknown =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(
            Object.entries(value)
              .sort()
              .map(([name, member]) => [name, inOrder(member)]),
          )
        : value;
    for (const text of texts) expect(text).toBe(JSON.stringify(inOrder(JSON.parse(text))));
    const [published = ""] = texts.slice(-3);
    expect(parsePublished(published)).toMatchObject(entry);
    expect(() => parsePublished(` ${published}`)).toThrow("not the entry");
  });
});

describe("tiles as c2sp.org/tlog-tiles defines them", () => {
  test("paths", () => {
    // The specification's own example.
    expect(tilePath({ level: 0, number: 1234067, width: 256 })).toBe("tile/0/x001/x234/067");
    expect(entriesPath({ number: 273, width: 112 })).toBe("tile/entries/273.p/112");
    for (const tile of [
      { level: 0, number: 0, width: 256 },
      { level: 63, number: 1234067, width: 255 },
      { level: 1, number: 1000, width: 1 },
    ])
      expect(parseTilePath(tilePath(tile))).toEqual(tile);
    expect(parseTilePath("tile/entries/005.p/12")).toEqual({ level: "entries", number: 5, width: 12 });
    for (const path of [
      "64/000",
      "00/000",
      "0/0",
      "0/x000/001",
      "0/000.p/256",
      "0/000.p/0",
      "0/000.p/01",
      "-1/000",
    ])
      expect(parseTilePath(`tile/${path}`), path).toBe(null);
  });

  test("the specification's tree of 70,000 leaves", () => {
    const widths = (level: number) => {
      const full = Math.floor(hashesAt(level, 70_000) / 256);
      return [full, tileOf(70_000, level, full).width];
    };
    expect([0, 1, 2].map(widths)).toEqual([
      [273, 112],
      [1, 17],
      [0, 1],
    ]);
    expect(tileOf(256, 0, 0).width).toBe(256);
    expect(tileOf(256, 1, 0).width).toBe(1);
  });

  test("entries in bundles", () => {
    const entries = ["", "one", "x".repeat(300)].map(bytesOf);
    const bundle = entryBundle(entries);
    expect(entriesIn(bundle)).toEqual(entries);
    expect(bundle.slice(0, 7)).toEqual(hex("00000003" + "6f6e65"));
    expect(() => entriesIn(bundle.slice(0, -1))).toThrow("cut off");
  });
});

/** The example of c2sp.org/signed-note, those of golang.org/x/mod/sumdb/note, and a checkpoint of sum.golang.org. */
describe("signed notes of others", () => {
  const notes = {
    "the specification's": [
      "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
      "This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n",
    ],
    "Go's": [
      "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
    ],
    "Go's, by another key": [
      "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop",
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n\u2014 EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n",
    ],
    "sum.golang.org's": [
      "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8",
      "go.sum database tree\n13485\n/ZWur4obeiqK+ASdnPK+/Rmz6LPQMUeSmHh0+UkL54Y=\n\n\u2014 sum.golang.org Az3grnQReYTvpCrRxT+w50vixbqBlB/aPS8bL8f8KW4HHP+UjLSXOJgCh4f54n8hO6lrESglzyRXMXnhaWzaeY3zqw8=\n",
    ],
  } as const;

  test.each(Object.entries(notes))("%s is verified, and not after any change", async (_, [encoded, note]) => {
    const key = await parseVerifierKey(encoded);
    expect(await verifierKey(key)).toBe(encoded);
    const { text } = await openNote(note, [key]);
    expect(note.startsWith(`${text}\n`)).toBe(true);
    // A signature by an unknown key is ignored.
    const keyId = await keyIdOf({ ...key, name: "someone" });
    const other = signatureLine({ name: "someone", keyId, signature: new Uint8Array(64) });
    expect((await openNote(note + other, [key])).text).toBe(text);
    for (const at of [0, 10, note.length - 10]) {
      const changed = `${note.slice(0, at)}${note[at] === "a" ? "b" : "a"}${note.slice(at + 1)}`;
      await expect(openNote(changed, [key]), changed).rejects.toThrow();
    }
    await expect(openNote(note, [])).rejects.toThrow("isn't signed");
    await expect(openNote(note.slice(0, -1), [key])).rejects.toThrow("malformed");
  });

  test("a checkpoint", () => {
    const text = "go.sum database tree\n13485\n/ZWur4obeiqK+ASdnPK+/Rmz6LPQMUeSmHh0+UkL54Y=\n";
    const checkpoint = parseCheckpoint(text);
    const root = fromBase64("/ZWur4obeiqK+ASdnPK+/Rmz6LPQMUeSmHh0+UkL54Y=");
    expect(checkpoint).toEqual({ origin: "go.sum database tree", size: 13485, root });
    expect(checkpointText(checkpoint)).toBe(text);
    for (const wrong of [text.replace("13485", "013485"), text.replace("/ZW", "ZW"), "\n0\n", text.slice(21)])
      expect(() => parseCheckpoint(wrong), wrong).toThrow();
  });
});

function flipped(bytes: Bytes, bit: number): Bytes {
  return bytes.with(0, (bytes[0] ?? 0) ^ bit) as Bytes;
}
