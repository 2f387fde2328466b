import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { limits } from "@tandem/contract/limits";
import { operations } from "@tandem/contract/operations";
import type { Person } from "@tandem/testing/callers";
import { dump } from "@tandem/testing/dump";
import { eventually } from "@tandem/testing/eventually";
import { boundary, formBytes, formType, type Part } from "@tandem/testing/forms";
import { drawPicture } from "@tandem/testing/pictures";
import { sendRequest } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { makeVideo } from "@tandem/testing/videos";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readForm } from "./form.ts";

describe("a form", () => {
  let tandem: Tandem;
  let ada: Person;
  let picture: Buffer;
  let video: Buffer;
  let before: unknown;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human();
    [picture, video] = await Promise.all([drawPicture(), makeVideo()]);
  });
  afterAll(() => tandem.stop());
  beforeEach(async () => {
    before = await dump(tandem.storage);
  });

  const send = async (
    body: Buffer | Part[],
    headers: Record<string, string> = formType,
    path = "/api/posts",
  ) => {
    const bytes = Buffer.isBuffer(body) ? body : formBytes(body);
    const all = { ...ada.options.headers, ...headers };
    return sendRequest(tandem.baseUrl, { method: "POST", path, headers: all, body: bytes });
  };
  const verdictOf = async (...sent: Parameters<typeof send>) => {
    const { status, body } = await send(...sent);
    return [status, body.code, body.field];
  };
  const stored = async () => {
    const names: string[] = [];
    for await (const { name } of tandem.services.media.store.list()) names.push(name);
    return names;
  };
  const expectNothingLeft = async () => {
    expect(await dump(tandem.storage)).toEqual(before);
    await eventually(async () => {
      expect(await readdir(tandem.services.media.incoming).catch(() => [])).toEqual([]);
      expect(await stored()).toEqual([]);
    });
  };

  const title = { name: "title", content: "A loom" };
  const image = (content: Buffer | string): Part => ({
    name: "image",
    fileName: "x.jpg",
    type: "image/jpeg",
    content,
  });

  describe("is refused, and leaves nothing, if", () => {
    afterEach(expectNothingLeft);
    const refused = (field: string | undefined, code = "invalid_input") => [400, code, field];

    test("a file is empty", async () => {
      expect(await verdictOf([title, image("")])).toEqual(refused("image"));
    });

    test("a file's content isn't of a type that its field accepts", async () => {
      const html = "<!doctype html><script>alert(1)</script>";
      const gif = Buffer.from("R0lGODlhAQABAAAAACw=", "base64");
      for (const content of [html, "<svg xmlns='http://www.w3.org/2000/svg'/>", gif, "%PDF-1.7", video])
        expect(await verdictOf([title, image(content)])).toEqual(refused("image"));
      const film: Part = { name: "video", fileName: "x.mp4", type: "video/mp4" };
      for (const content of [picture, "no film", "ftypisom", Buffer.alloc(1000)])
        expect(await verdictOf([title, { ...film, content }])).toEqual(refused("video"));
      const poster: Part = { name: "thumbnail", fileName: "x.png", type: "image/png", content: video };
      expect(await verdictOf([title, { ...film, content: video }, poster])).toEqual(refused("thumbnail"));
    });

    test("a file is truncated", async () => {
      const large = await drawPicture({ width: 800, height: 600, noisy: true });
      expect(await verdictOf([title, image(large.subarray(0, large.length / 2))])).toEqual(refused("image"));
      const half = video.subarray(0, video.length / 2);
      expect(await verdictOf([title, { name: "video", fileName: "x", content: half }])).toEqual(
        refused("video"),
      );
    });

    test("a file is too large, without waiting for its end", async () => {
      const huge = Buffer.concat([picture, Buffer.alloc(limits.imageBytes)]);
      expect(await verdictOf([title, image(huge)])).toEqual(refused("image", "file_too_large"));
      const chunked = { ...formType, "transfer-encoding": "chunked" };
      expect(await verdictOf([title, image(huge)], chunked)).toEqual(refused("image", "file_too_large"));
    });

    test("a field is missing or invalid, in any position", async () => {
      expect(await verdictOf([image(picture)])).toEqual(refused("title"));
      expect(await verdictOf([{ name: "title", content: " " }, image(picture)])).toEqual(refused("title"));
      expect(await verdictOf([image(picture), title, { name: "url", content: "ftp://x" }])).toEqual(
        refused("url"),
      );
      expect(await verdictOf([])).toEqual(refused("title"));
      expect(await verdictOf([], formType, "/api/users/avatar")).toEqual(refused("image"));
    });

    test("a field is repeated", async () => {
      const avatar = [image(picture), image(picture)];
      expect(await verdictOf(avatar, formType, "/api/users/avatar")).toEqual(refused("image"));
      const pictures = Array.from({ length: limits.picturesPerPost + 1 }, () => image(picture));
      expect(await verdictOf([title, ...pictures])).toEqual(refused("image"));
      expect(await verdictOf([title, title, image(picture)])).toEqual(refused("title"));
    });

    test("a field that isn't a file field contains a file", async () => {
      expect(await verdictOf([{ ...title, fileName: "x.txt" }])).toEqual(refused("title"));
      expect(await verdictOf([title, { ...image(picture), name: "picture" }])).toEqual(refused("picture"));
      expect(await verdictOf([{ ...image(picture), name: "video" }], formType, "/api/users/avatar")).toEqual(
        refused("video"),
      );
    });

    test("a file field contains text", async () => {
      expect(await verdictOf([title, { name: "image", content: "a picture" }])).toEqual(refused("image"));
    });

    test("an item of a list is invalid, and says what it should be", async () => {
      const lists: [ids: string[], wrong: number][] = [
        [["x"], 0],
        [["1", "x"], 1],
        [['["1"]'], 0],
      ];
      for (const [ids, wrong] of lists) {
        const { status, body } = await send([
          title,
          ...ids.map((content) => ({ name: "productIds", content })),
        ]);
        expect([status, body.error]).toEqual([400, `productIds[${wrong}] must be a whole number.`]);
      }
    });

    test("a field's JSON has too many levels or fields", async () => {
      const { jsonDepth, jsonFields } = limits;
      const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
      const wide = (fields: number) => `{${Array.from({ length: fields }, (_, i) => `"${i}":0`)}}`;
      const errorOf = async (name: string, content: string) => {
        const { status, body } = await send([title, { name, content }]);
        expect([status, body.code, body.field]).toEqual([400, "invalid_input", name]);
        return body.error;
      };
      for (const name of ["poll", "alts"]) {
        expect(await errorOf(name, nested(jsonDepth))).not.toContain("deep");
        expect(await errorOf(name, nested(jsonDepth + 1))).toBe("JSON can nest at most 64 levels deep.");
      }
      expect(await errorOf("poll", wide(jsonFields))).not.toContain("at most");
      expect(await errorOf("poll", wide(jsonFields + 1))).toMatch(/^JSON can have at most 1000 fields/);
    });

    test("text isn't UTF-8, contains NUL, or is very long", async () => {
      const bad = (content: Buffer | string) => verdictOf([{ name: "title", content }]);
      expect(await bad(Buffer.from("c328", "hex"))).toEqual(refused("title"));
      expect(await bad("\0")).toEqual(refused("title"));
      expect(await bad("x".repeat(100_000))).toEqual(refused("title"));
    });

    test("there are very many fields", async () => {
      const many = Array.from({ length: 100_000 }, (_, i) => ({ name: `f${i}`, content: "x" }));
      expect(await verdictOf([title, ...many])).toEqual(refused("f0"));
      const same = Array.from({ length: 1000 }, () => ({ name: "productIds", content: "1" }));
      expect(await verdictOf([title, ...same])).toEqual(refused("productIds"));
    });

    test("it isn't well-formed", async () => {
      const parts = [title, image(picture)];
      const bodies = [
        Buffer.alloc(0),
        Buffer.from("x"),
        Buffer.from("\r\n\r\n"),
        Buffer.from(`--${boundary}`),
        formBytes(parts, { open: true }),
        formBytes(parts).subarray(0, 200),
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nx`),
        formBytes([{ content: "nameless" }]),
      ];
      for (const body of bodies)
        expect([body.length, ...(await verdictOf(body))]).toEqual([body.length, ...refused(undefined)]);
      // Without a part, the title is missing.
      const empty = Buffer.from(`--${boundary}\r\nnonsense\r\n\r\nx\r\n--${boundary}--`);
      expect(await verdictOf(empty)).toEqual(refused("title"));
      const otherType = (type: string) => verdictOf(formBytes(parts), { "content-type": type });
      for (const type of ["multipart/form-data", "multipart/form-data; boundary=other"])
        expect(await otherType(type)).toEqual(refused(undefined));
      expect(await otherType("multipart/form-data; boundary=")).toEqual(refused("title"));
    });

    test("a part's header is endless", async () => {
      const endless = Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${"x".repeat(200_000)}"`,
      );
      expect((await send(endless)).status).toBe(400);
      const preamble = Buffer.alloc(4 * 2 ** 20, "x");
      expect([400, 413]).toContain((await send(preamble, formType, "/api/users/avatar")).status);
    });

    test("any bytes are changed or missing, unless it is still valid", async () => {
      const whole = formBytes([
        title,
        { name: "productIds", content: "[]" },
        image(picture.subarray(0, 300)),
      ]);
      const cut = fc.record({
        at: fc.nat(whole.length),
        drop: fc.nat(40),
        put: fc.uint8Array({ maxLength: 20 }),
      });
      const law = async (cuts: { at: number; drop: number; put: Uint8Array }[]) => {
        const bytes = cuts.reduce(
          (form, { at, drop, put }) => Buffer.concat([form.subarray(0, at), put, form.subarray(at + drop)]),
          whole,
        );
        expect([200, 400, 413]).toContain((await send(bytes, formType, "/api/posts?dryRun=1")).status);
      };
      await fc.assert(fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 4 }), law), { numRuns: 60 });
    });

    test("its content type isn't accepted", async () => {
      const json = { "content-type": "application/json" };
      const avatar = "/api/users/avatar";
      expect(await verdictOf(Buffer.from("{}"), json, avatar)).toEqual([
        415,
        "unsupported_media_type",
        undefined,
      ]);
      expect(await verdictOf(formBytes([title]), { "content-type": "multipart/mixed; boundary=x" })).toEqual([
        415,
        "unsupported_media_type",
        undefined,
      ]);
      const { body } = await send(formBytes([title]), { "content-type": "multipart/mixed; boundary=x" });
      expect(body.error).toBe("Send the body as application/json or multipart/form-data.");
      const other = await verdictOf(formBytes([{ name: "title", content: "x" }]), formType, "/api/products");
      expect(other).toEqual([415, "unsupported_media_type", undefined]);
    });

    test("the caller isn't allowed to send it, before it is read", async () => {
      const stranger = { ...formType, cookie: "" };
      expect((await verdictOf([title, image(picture)], stranger))[0]).toBe(401);
      const key = await tandem.as.key(["comments:write"], ada);
      before = await dump(tandem.storage);
      const poor = { ...formType, cookie: "", authorization: `Bearer ${key.options.key}` };
      expect((await verdictOf([title, image(picture)], poor))[1]).toBe("insufficient_scope");
    });

    test("its sender disconnects or stalls", async () => {
      const start = formBytes([title, image(Buffer.concat([picture, Buffer.alloc(500_000)]))]);
      const begin = () => {
        const sending = request(`${tandem.baseUrl}/api/posts`, {
          method: "POST",
          headers: { ...ada.options.headers, ...formType, "content-length": start.length + 1000 },
        });
        sending.write(start.subarray(0, 400_000));
        const ended = new Promise((resolve) => sending.once("error", resolve).once("response", resolve));
        return { sending, ended };
      };
      const leaver = begin();
      await eventually(async () => expect(await readdir(tandem.services.media.incoming)).not.toEqual([]));
      leaver.sending.destroy();
      await leaver.ended;
      await expectNothingLeft();
      // Only here: on a busy machine, any sender may stall for a second.
      const { config } = tandem.services;
      const { uploadTimeout } = config;
      Object.assign(config, { uploadTimeout: 1000 });
      const silent = begin();
      expect(await silent.ended).toMatchObject({ code: "ECONNRESET" });
      Object.assign(config, { uploadTimeout });
    });

    test("its sender disconnects, which isn't an internal error", async () => {
      const reader = createServer();
      await once(reader.listen(0, "127.0.0.1"), "listening");
      const { port } = reader.address() as AddressInfo;
      const sending = request({ port, method: "POST", headers: { ...formType, "content-length": 1000 } });
      sending.on("error", () => {}).write(formBytes([title], { open: true }));
      const [incoming] = (await once(reader, "request")) as [IncomingMessage];
      const directory = tandem.services.media.incoming;
      const reading = readForm(incoming, { op: operations.createPost, directory, patience: 1000 });
      sending.destroy();
      await expect(reading).rejects.toMatchObject({ code: "invalid_input" });
      reader.close();
    });
  });

  describe("is accepted", () => {
    const post = async (parts: Part[]) => {
      const { status, body } = await send(parts);
      expect(status).toBe(200);
      return body.post as {
        title: string;
        body: string | null;
        mediaType: string;
        products: { id: number }[];
      };
    };

    test("without files, like JSON", async () => {
      const form = [
        title,
        { name: "body", content: "Grün 🧵" },
        { name: "url", content: "https://example.org/" },
      ];
      expect(await post(form)).toMatchObject({ title: "A loom", body: "Grün 🧵", mediaType: "link" });
    });

    test("with text fields after files, and fields that a post shows and no one sets", async () => {
      const more = { name: "likeCount", content: "x" };
      expect(await post([image(picture), more, title])).toMatchObject({
        title: "A loom",
        mediaType: "image",
      });
    });

    test("with empty optional fields, and an empty file field", async () => {
      const empty = ["url", "body", "productIds", "provenance"].map((name) => ({ name, content: "" }));
      const unchosen = { name: "image", fileName: "", type: "application/octet-stream" };
      expect(await post([title, ...empty, unchosen])).toMatchObject({ body: null, mediaType: "text" });
    });

    test("with product ids as repeated fields or as a JSON array", async () => {
      const made = [1, 2].map((n) => ada.createProduct({ title: `P${n}`, url: "https://example.org/" }));
      const ids = (await Promise.all(made)).map(({ product }) => product.id);
      const repeated = ids.map((id) => ({ name: "productIds", content: String(id) }));
      const array = [{ name: "productIds", content: JSON.stringify(ids) }];
      for (const fields of [repeated, array])
        expect((await post([title, ...fields])).products.map(({ id }) => id)).toEqual(ids);
      expect((await post([title, repeated[0] as Part])).products.length).toBe(1);
      for (const content of ["x", "[1", "0", "1.5", '["1"]'])
        expect(await verdictOf([title, { name: "productIds", content }])).toEqual([
          400,
          "invalid_input",
          "productIds",
        ]);
    });

    test("with any file names and declared types", async () => {
      for (const fileName of ["../../etc/passwd", "x.exe", "a\u202e.html", "x".repeat(3000)])
        expect(await post([title, { ...image(picture), fileName, type: "text/html" }])).toMatchObject({
          mediaType: "image",
        });
    });
  });
});
