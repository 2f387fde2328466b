import { readdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { extname } from "node:path";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { built } from "./web.ts";

let tandem: Tandem;
beforeAll(async () => {
  tandem = await startTandem("sqlite");
});
afterAll(() => tandem[Symbol.asyncDispose]());

/** Sends a path as it is: `fetch` would resolve its dots. */
function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  const { hostname, port } = new URL(tandem.baseUrl);
  return new Promise<{ status: number; headers: Record<string, unknown>; length: number }>(
    (resolve, reject) => {
      request({ hostname, port, path, headers, method }, (response) => {
        let length = 0;
        response.on("data", (chunk: Buffer) => {
          length += chunk.length;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, length }),
        );
      })
        .on("error", reject)
        .end();
    },
  );
}

/** The largest of this kind: compression makes the smallest ones larger. */
const anAsset = (ending: string) => {
  const directory = `${built}client/assets`;
  const names = readdirSync(directory).filter((one) => one.endsWith(ending));
  const [largest] = names.sort(
    (a, b) => statSync(`${directory}/${b}`).size - statSync(`${directory}/${a}`).size,
  );
  if (largest === undefined) throw new Error(`the build made no ${ending}`);
  return `/assets/${largest}`;
};

describe("the app's files", () => {
  test("are served with their type, for as long as their names say, compressed if there is a compressed form", async () => {
    const hashed = "public, max-age=31536000, immutable";
    for (const [path, type, cacheControl] of [
      [anAsset(".js"), "text/javascript; charset=utf-8", hashed],
      [anAsset(".css"), "text/css; charset=utf-8", hashed],
      [anAsset(".woff2"), "font/woff2", hashed],
      ["/sw.js", "text/javascript; charset=utf-8", "public, max-age=300"],
      ["/icon-192.png", "image/png", "public, max-age=300"],
    ] as const) {
      const plain = await get(path);
      expect(plain).toMatchObject({
        status: 200,
        headers: {
          "content-type": type,
          "cache-control": cacheControl,
          vary: "Accept-Encoding",
          "content-length": String(plain.length),
          "x-content-type-options": "nosniff",
        },
      });
      const isText = type.startsWith("text/");
      for (const encoding of ["br", "gzip"]) {
        const answer = await get(path, { "accept-encoding": encoding });
        expect(answer.headers["content-encoding"]).toBe(isText ? encoding : undefined);
        if (isText) expect(answer.length).toBeLessThan(plain.length);
      }
      expect(await get(path, {}, "HEAD")).toMatchObject({
        status: 200,
        headers: { "content-length": String(plain.length) },
        length: 0,
      });
      const known = { "if-none-match": String(plain.headers.etag) };
      expect(await get(path, known)).toMatchObject({ status: 304, length: 0 });
    }
  });

  test("include every kind that the build makes", async () => {
    const kinds = new Set(readdirSync(`${built}client/assets`).map((name) => extname(name)));
    for (const kind of kinds) {
      const { status } = await get(anAsset(kind));
      expect([kind, status]).toEqual([kind, kind === ".br" || kind === ".gz" ? 404 : 200]);
    }
  });

  test("are those that the build made, and no path leads to another", async () => {
    const script = anAsset(".js");
    for (const path of [
      "/assets",
      "/assets/",
      "/assets/none.js",
      `${script}.br`,
      `${script}/`,
      `${script}%00.js`,
      "/assets/../sw.js",
      "/assets/..%2fsw.js",
      "/assets/..%2f..%2fserver%2fserver.js",
      "/assets/..%5csw.js",
      "/assets/%2e%2e/sw.js",
      "/assets/constructor",
      `/assets/${"x".repeat(300)}.js`,
      `/assets/${"x".repeat(10_000)}.js`,
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});
