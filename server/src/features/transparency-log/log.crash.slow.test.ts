import { checkReceipt } from "@tandem/client/check-receipt";
import type { LogEntry } from "@tandem/contract/log/entry";
import { entriesIn } from "@tandem/contract/log/tiles";
import { Callers } from "@tandem/testing/callers";
import { eventually } from "@tandem/testing/eventually";
import { createDatabase } from "@tandem/testing/postgres";
import { startProcess } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

/** What an acknowledged write makes the log say of a post. */
type History = (number | "deletion")[];

describe.each(engines)("two workers that are killed on %s", (engine) => {
  test("every acknowledged write is a leaf afterwards: once, in order, within the promised time", async () => {
    await using directory = await temporaryDirectory();
    await using database = engine === "postgres" ? await createDatabase() : null;
    const env = { WORKERS: "2", ...(database && { DATABASE_URL: database.url }) };
    const acknowledged = new Map<number, History>();
    for (let crash = 0; crash < 2; crash += 1) {
      await using service = await startProcess(directory.path, env);
      const as = new Callers(service.address);
      const people = await Promise.all([1, 2, 3, 4].map((n) => as.human(`writer_${crash}_${n}`)));
      let writes = 0;
      const write = async (person: (typeof people)[number]) => {
        for (let i = 0; ; i += 1) {
          const { post } = await person.createPost({ title: `Post ${i}` });
          const history: History = [1];
          acknowledged.set(post.id, history);
          writes += 1;
          if (i % 3 === 1) {
            // Before it is acknowledged, it may be there or not.
            acknowledged.delete(post.id);
            await person.editPost({ id: post.id, title: `Post ${i}, edited` });
            acknowledged.set(post.id, [1, 2]);
          }
          if (i % 3 === 2) {
            acknowledged.delete(post.id);
            await person.deletePost({ id: post.id });
            acknowledged.set(post.id, [1, "deletion"]);
          }
        }
      };
      const writing = Promise.allSettled(people.map(write));
      await eventually(() => expect(writes).toBeGreaterThan(60));
      await service.stop("SIGKILL");
      await writing;
    }
    await using service = await startProcess(directory.path, env);
    const { address } = service;
    await eventually(async () => {
      const found = historiesIn(await entriesAt(address));
      for (const [id, history] of acknowledged) expect([id, found.get(id)]).toEqual([id, history]);
    });
    const kept = [...acknowledged].filter(([, history]) => !history.includes("deletion"));
    for (const [postId, history] of kept.slice(-8))
      expect(await checkReceipt({ baseUrl: address, postId, commentId: null })).toMatchObject({
        ok: true,
        results: { inclusion: "passed" },
        entry: { version: history.at(-1) },
      });
  });
});

/** All entries, as anyone can read them. */
async function entriesAt(address: string): Promise<LogEntry[]> {
  const checkpoint = await (await fetch(`${address}/log/checkpoint`)).text();
  const size = Number(checkpoint.split("\n")[1]);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < size; at += 256) {
    const width = Math.min(256, size - at);
    const path = `${String(at / 256).padStart(3, "0")}${width < 256 ? `.p/${width}` : ""}`;
    const response = await fetch(`${address}/log/tile/entries/${path}`);
    entries.push(...entriesIn(new Uint8Array(await response.arrayBuffer())));
  }
  return entries.map((entry) => JSON.parse(new TextDecoder().decode(entry)) as LogEntry);
}

function historiesIn(entries: readonly LogEntry[]): Map<number, History> {
  const histories = new Map<number, History>();
  for (const entry of entries)
    if (entry.kind !== "key") {
      const said = entry.kind === "deletion" ? "deletion" : entry.version;
      histories.set(entry.id, [...(histories.get(entry.id) ?? []), said]);
    }
  return histories;
}
