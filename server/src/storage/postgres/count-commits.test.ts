import { startTandem } from "@tandem/testing/tandem";
import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { countCommits } from "./count-commits.ts";

test("a version is newer than one before a commit of any process, however many ask at once", async () => {
  await using tandem = await startTandem("postgres");
  await using other = await startTandem("postgres", { alongside: tandem });
  const person = await tandem.as.human();
  const elsewhere = other.as.with(person.options.headers ?? {});
  const ask = async () => {
    let version: number | null = null;
    // An answer that takes long is none.
    while (version === null) version = await tandem.storage.askVersion();
    return version;
  };
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const before = await ask();
      await (i % 2 ? person : elsewhere).createPost({ title: `Number ${i}` });
      expect(await ask()).toBeGreaterThan(before);
    }),
  );
});

/** Holds back results until it is released. */
function holding() {
  let [release, arrive] = [() => {}, () => {}];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hasArrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      arrive();
      await held;
      return result;
    },
  };
  return { plugin, hasArrived, release };
}

test("who asks after a commit gets no answer that was on its way before", async () => {
  await using tandem = await startTandem("postgres");
  const person = await tandem.as.human();
  const { plugin, hasArrived, release } = holding();
  const ask = countCommits(tandem.storage.read.withPlugin(plugin), { patience: 60_000 });
  const before = ask();
  await hasArrived;
  await person.createPost({ title: "Meanwhile" });
  const after = ask();
  release();
  expect(await after).toBeGreaterThan(Number(await before));
});

test("an answer that takes long, or is an error, is none", async () => {
  await using tandem = await startTandem("postgres");
  const { plugin, release } = holding();
  const ask = countCommits(tandem.storage.read.withPlugin(plugin), { patience: 10 });
  expect([await ask(), await ask()]).toEqual([null, null]);
  release();
  const closed = await startTandem("postgres");
  await closed.stop();
  expect(await closed.storage.askVersion()).toBe(null);
});
