import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";
import { countCommits } from "./count-commits.ts";

test("a version is newer than one before a commit of any process, however many ask at once", async () => {
  await using tandem = await startTandem("postgres");
  await using other = await startTandem("postgres", { besides: tandem });
  const person = await tandem.as.human();
  const elsewhere = other.as.with(person.options.headers ?? {});
  const ask = async () => Number(await tandem.storage.askVersion());
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const before = await ask();
      await (i % 2 ? person : elsewhere).createPost({ title: `Number ${i}` });
      expect(await ask()).toBeGreaterThan(before);
    }),
  );
});

test("who asks after a commit gets no answer that was on its way before", async () => {
  await using tandem = await startTandem("postgres");
  const person = await tandem.as.human();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrive = () => {};
  const hasArrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const ask = countCommits(
    tandem.storage.read.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        arrive();
        await held;
        return result;
      },
    }),
  );
  const before = ask();
  await hasArrived;
  await person.createPost({ title: "Meanwhile" });
  const after = ask();
  release();
  expect(await after).toBeGreaterThan(await before);
});
