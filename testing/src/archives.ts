import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { encode, Tagged } from "cborg";
import { createTarPacker } from "modern-tar";
import { ZipFile } from "yazl";
import { temporaryDirectory } from "./storage.ts";

/*
 * Exports as Mastodon, Bluesky, X and Reddit make them, shortened. They follow the platforms' source code and documents; no one's real
 * export is among them.
 */

type FilesByName = Record<string, string | Uint8Array>;

export const csv = (...rows: string[][]): string =>
  rows
    .map((row) =>
      row.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(),
    )
    .join("\n");

export async function zipOf(files: FilesByName): Promise<Uint8Array<ArrayBuffer>> {
  await using folder = await temporaryDirectory();
  const path = join(folder.path, "archive.zip");
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return new Uint8Array(await readFile(path));
}

export async function tarOf(files: FilesByName): Promise<Uint8Array<ArrayBuffer>> {
  const { readable, controller } = createTarPacker();
  const add = async () => {
    for (const [name, content] of Object.entries(files)) {
      const bytes = Buffer.from(content);
      const body = controller.add({ name, size: bytes.length }).getWriter();
      if (bytes.length > 0) await body.write(bytes);
      await body.close();
    }
    controller.finalize();
  };
  const chunks: Uint8Array[] = [];
  const read = async () => {
    for await (const chunk of readable) chunks.push(chunk);
  };
  await Promise.all([add(), read()]);
  return new Uint8Array(gzipSync(Buffer.concat(chunks)));
}

/** An outbox of Mastodon with these notes. */
export function outboxOf(...notes: object[]): string {
  const orderedItems = notes.map((note, i) => ({
    id: `https://social.example/users/ada/statuses/${i}/activity`,
    type: "Create",
    actor: "https://social.example/users/ada",
    ...("object" in note ? note : { object: noteOf(i, note) }),
  }));
  return JSON.stringify({
    "@context": "https://www.w3.org/ns/activitystreams",
    id: "outbox.json",
    type: "OrderedCollection",
    totalItems: orderedItems.length,
    orderedItems,
  });
}

const noteOf = (i: number, note: object) => ({
  id: `https://social.example/users/ada/statuses/${i}`,
  type: "Note",
  summary: null,
  inReplyTo: null,
  published: `2019-05-0${i + 1}T10:00:00Z`,
  url: `https://social.example/@ada/${i}`,
  attributedTo: "https://social.example/users/ada",
  to: ["https://www.w3.org/ns/activitystreams#Public"],
  cc: ["https://social.example/users/ada/followers"],
  sensitive: false,
  content: "<p>A note</p>",
  attachment: [],
  tag: [],
  ...note,
});

export const tweetOf = (id: string, tweet: object) => ({
  tweet: {
    id_str: id,
    full_text: "A tweet",
    created_at: "Wed Oct 10 20:19:24 +0000 2018",
    retweeted: false,
    entities: { urls: [], user_mentions: [], hashtags: [] },
    lang: "en",
    ...tweet,
  },
});

export const scriptOf = (name: string, items: object[]): string =>
  `window.YTD.${name}.part0 = ${JSON.stringify(items, null, 2)}`;

const cidOf = (block: Uint8Array) =>
  Buffer.concat([Buffer.from([1, 0x71, 0x12, 32]), createHash("sha256").update(block).digest()]);
const linkTo = (cid: Buffer) => new Tagged(42, Buffer.concat([Buffer.from([0]), cid]));

function varint(value: number): Buffer {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

/** A repository of Bluesky with these records, by path, as a CAR file. */
export function carOf(did: string, records: Record<string, object>): Uint8Array<ArrayBuffer> {
  const blocks: Buffer[] = [];
  const add = (value: object): Buffer => {
    const block = encode(value);
    const cid = cidOf(block);
    blocks.push(Buffer.concat([varint(cid.length + block.length), cid, block]));
    return cid;
  };
  const paths = Object.keys(records).sort();
  const cids = paths.map((path) => add(records[path] as object));
  const entries = paths.map((path, i) => {
    const before = paths[i - 1] ?? "";
    let shared = 0;
    while (shared < before.length && path[shared] === before[shared]) shared += 1;
    return { p: shared, k: Buffer.from(path.slice(shared)), v: linkTo(cids[i] as Buffer), t: null };
  });
  const data = add({ l: null, e: entries });
  const commit = add({
    did,
    version: 3,
    rev: "3jzfcijpj2z2a",
    prev: null,
    data: linkTo(data),
    sig: Buffer.alloc(64),
  });
  const header = encode({ version: 1, roots: [linkTo(commit)] });
  return new Uint8Array(Buffer.concat([varint(header.length), header, ...blocks]));
}
