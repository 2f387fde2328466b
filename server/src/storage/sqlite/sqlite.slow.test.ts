import { Callers, type Person } from "@tandem/testing/callers";
import { startProcess } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

describe("durability on sqlite", () => {
  test("acknowledged writes survive a killed service", async () => {
    await using directory = await temporaryDirectory();
    await using service = await startProcess(directory.path);
    const ada = await new Callers(service.address).human("ada");
    const acknowledged: number[] = [];
    let killed: Promise<unknown> | undefined;
    const writers = Array.from({ length: 20 }, async () => {
      for (;;) {
        acknowledged.push(await publish(ada));
        // In the middle of many writes.
        if (acknowledged.length === 200) killed = service.stop("SIGKILL");
      }
    });
    await Promise.allSettled(writers);
    await killed;
    expect(acknowledged.length).toBeGreaterThanOrEqual(200);

    await using tandem = await startTandem("sqlite", { dataDir: directory.path });
    const again = tandem.as.with({ ...ada.options.headers });
    const responses = await Promise.all(acknowledged.map((id) => again.call("readPost", { id })));
    expect(responses.filter((one) => one.status !== 200)).toEqual([]);
    expect((await again.me()).user).toEqual(ada.user);
    // Each write is complete or absent.
    const { totals } = await again.analytics();
    const { rows } = await sql<{ posts: number; texts: number }>`
      select (select count(*) from posts) as posts, (select count(*) from post_texts) as texts
    `.execute(tandem.storage.read);
    expect(rows).toEqual([{ posts: totals.posts, texts: totals.posts }]);
    const integrity = await sql`pragma integrity_check`.execute(tandem.storage.read);
    expect(integrity.rows).toEqual([{ integrity_check: "ok" }]);
    expect(await publish(again)).toBeGreaterThan(Math.max(...acknowledged));
  });

  test("writes use WAL with synchronous=FULL and enforce foreign keys", async () => {
    await using tandem = await startTandem("sqlite");
    const pragma = async (name: string) =>
      tandem.storage.write(async (tx) =>
        Object.values((await sql`pragma ${sql.raw(name)}`.execute(tx)).rows[0] ?? {}),
      );
    expect(await pragma("journal_mode")).toEqual(["wal"]);
    expect(await pragma("synchronous")).toEqual([2]);
    expect(await pragma("foreign_keys")).toEqual([1]);
  });
});

async function publish(caller: Pick<Person, "createPost">): Promise<number> {
  return (await caller.createPost({ title: "Kept", body: "whatever happens" })).post.id;
}
