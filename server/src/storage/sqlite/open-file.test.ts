import { copyFile, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "@tandem/testing/eventually";
import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../app.ts";
import { readConfig } from "../../config.ts";

const PAGE = 4096;

describe("the open database file", () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let tandem: Tandem;
  let ada: Awaited<ReturnType<Tandem["as"]["human"]>>;
  beforeEach(async () => {
    directory = await temporaryDirectory();
    tandem = await startTandem("sqlite", { dataDir: directory.path });
    ada = await tandem.as.human("ada");
    expect((await ready()).status).toBe(200);
  });
  afterEach(async () => {
    await tandem.stop();
    await directory[Symbol.asyncDispose]();
  });

  const file = (ending = "") => join(directory.path, `tandem.db${ending}`);
  const ready = () => fetch(`${tandem.baseUrl}/readyz`);
  const write = async () => {
    const { status, body } = await ada.call("createPost", { title: "Written" });
    return [status, body.code];
  };
  const refused = [503, "storage_failure"];

  test.each(["", "-wal"])(
    "that loses its file tandem.db%s isn't ready and refuses every write",
    async (ending) => {
      await rm(file(ending));
      expect(await write()).toEqual(refused);
      const answer = await ready();
      expect(answer.status).toBe(503);
      expect(await answer.json()).toEqual({
        error: `The database file tandem.db${ending} was deleted or moved away while the service runs.`,
        code: "database_file_missing",
        hint: expect.stringContaining("restore a backup"),
      });
      expect(await write()).toEqual(refused);
      expect((await ada.call("listPosts")).status).toBe(200);
    },
  );

  test("that was replaced isn't ready, says so, and refuses every write", async () => {
    await copyFile(file(), file(".copy"));
    await rename(file(".copy"), file());
    expect(await (await ready()).json()).toMatchObject({
      error: "The database file tandem.db was replaced while the service runs.",
      code: "database_file_replaced",
    });
    expect(await write()).toEqual(refused);
  });

  test("that is lost is logged as what it is, with what to do", async () => {
    const lines: Record<string, unknown>[] = [];
    const stream = { write: (line: string) => lines.push(JSON.parse(line)) };
    const { server } = createApp({
      config: readConfig({ DATA_DIR: directory.path }),
      storage: tandem.storage,
      logger: { level: "info", stream },
    });
    await rm(file());
    const url = "/api/auth/nonce";
    await server.inject({
      method: "POST",
      url,
      headers: { "content-type": "application/json" },
      payload: "{}",
    });
    await server.inject("/readyz");
    for (const start of ["a request was refused", "the service isn't ready"])
      expect(lines).toContainEqual(
        expect.objectContaining({
          level: 50,
          reason: "database_file_missing",
          msg: expect.stringMatching(
            new RegExp(
              `^${start}: The database file tandem.db was deleted or moved away .* restore a backup`,
            ),
          ),
        }),
      );
    await server.close();
  });

  test("that was moved away is ready again once it is back, with every acknowledged write", async () => {
    expect(await write()).toEqual([200, undefined]);
    await rename(file(), file(".away"));
    expect((await ready()).status).toBe(503);
    expect(await write()).toEqual(refused);
    await rename(file(".away"), file());
    expect((await ready()).status).toBe(200);
    expect(await write()).toEqual([200, undefined]);
    expect((await ada.listPosts()).posts).toHaveLength(2);
  });

  test.each([
    ["first page", 0],
    ["other pages", PAGE],
  ])("whose %s were overwritten isn't ready and refuses writes", async (_, from) => {
    // Checkpointed, so that no page is read from the log.
    await tandem.storage.write(async () => {});
    await checkpoint();
    const handle = await open(file(), "r+");
    const { size } = await handle.stat();
    await handle.write(Buffer.alloc(from === 0 ? PAGE : size - from, 0x5a), 0, undefined, from);
    await handle.close();
    expect((await fetch(`${tandem.baseUrl}/api/posts`)).status).toBe(503);
    await eventually(async () => expect((await ready()).status).toBe(503));
    expect(await (await ready()).json()).toMatchObject({ code: "database_damaged" });
    expect(await write()).toEqual(refused);
  });

  async function checkpoint(): Promise<void> {
    const { default: Database } = await import("better-sqlite3");
    const other = new Database(file());
    other.pragma("wal_checkpoint(truncate)");
    other.close();
  }
});
