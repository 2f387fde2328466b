import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

describe("temporary failures on sqlite", () => {
  test("another process's lock doesn't delay reads; writes wait for it and fail in the end", async () => {
    await using directory = await temporaryDirectory();
    await using tandem = await startTandem("sqlite", { dataDir: directory.path });
    const ada = await tandem.as.human("ada");
    const other = new Database(join(directory.path, "tandem.db"));
    other.exec("begin immediate");
    const waiting = ada.call("createPost", { title: "Waits" });
    let hasWaited = false;
    void waiting.then(() => {
      hasWaited = true;
    });
    await setTimeout(50);
    for (let i = 0; i < 10; i++) expect((await ada.listPosts()).posts).toEqual([]);
    // The reads didn't wait behind the write.
    expect(hasWaited).toBe(false);
    other.exec("commit");
    expect((await waiting).status).toBe(200);

    other.exec("begin immediate");
    expect(refusal(await ada.call("createPost", { title: "Waits in vain" }))).toEqual(overloaded);
    // A health check doesn't wait for the lock as long as a write does.
    const write = ada.call("createPost", { title: "Waits in vain, too" });
    const unready = await ready(tandem);
    expect(await Promise.race([write, "waits"])).toBe("waits");
    expect(refusal(unready)).toEqual(overloaded);
    expect(unready.body.error).toBe("Another process holds the write lock.");
    expect(refusal(await write)).toEqual(overloaded);
    other.exec("commit");
    other.close();
    expect((await ready(tandem)).status).toBe(200);
    expect((await ada.listPosts()).posts).toMatchObject([{ title: "Waits" }]);
  });

  test("a full disk fails writes, and the service isn't ready until there is space", async () => {
    await using tandem = await startTandem("sqlite");
    const ada = await tandem.as.human("ada");
    expect((await ready(tandem)).status).toBe(200);
    await room(tandem, 1);
    const post = () => ada.call("createPost", { title: "Long", body: "x".repeat(10_000) });
    let response = await post();
    for (let i = 0; i < 20 && response.status === 200; i++) response = await post();
    expect(refusal(response)).toEqual(overloaded);
    expect(refusal(await ready(tandem))).toEqual(overloaded);
    expect(refusal(await ready(tandem))).toEqual(overloaded);
    expect((await ada.call("listPosts")).status).toBe(200);
    await room(tandem, 1_000_000);
    expect((await ready(tandem)).status).toBe(200);
    expect((await post()).status).toBe(200);
  });

  test("a database without tables isn't ready", async () => {
    await using tandem = await startTandem("sqlite");
    await tandem.storage.write((tx) => sql`alter table users rename to people`.execute(tx));
    expect((await ready(tandem)).status).toBe(500);
  });
});

const overloaded = { status: 503, code: "overloaded", retry: "1" };

function refusal({ status, body, headers }: Awaited<ReturnType<typeof ready>>) {
  return { status, code: body.code, retry: headers.get("retry-after") };
}

async function ready({ baseUrl }: Tandem) {
  const { status, headers, ...response } = await fetch(`${baseUrl}/readyz`).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }));
  return { status, headers, body: response.body };
}

/** Limits the database to this many pages, or to its current size if that is larger. */
async function room({ storage }: Tandem, pages: number): Promise<void> {
  // A pragma, not a write.
  const set = storage.write(async (tx) => {
    await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx);
    throw new Error("nothing to keep");
  });
  await set.catch(() => {});
}
