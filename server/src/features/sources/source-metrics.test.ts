import { DAY } from "@tandem/contract/durations";
import { backgroundJobs } from "@tandem/server/background";
import { rssFeed, startImports } from "@tandem/testing/import-setup";
import { engines } from "@tandem/testing/tandem";
import { expect, test } from "vitest";

test.each(engines)("metrics on %s count visits and posts, and show how late visits are", async (engine) => {
  await using world = await startImports(engine);
  const { tandem, origin, admin, clock } = world;
  const job = backgroundJobs.find(({ name }) => name === "sources");
  const gather = () => job?.run(tandem.services, new AbortController().signal);
  const metrics = async () => {
    const text = await (await fetch(`${tandem.baseUrl}/metrics`)).text();
    return Object.fromEntries(
      [...text.matchAll(/^tandem_source_(\S+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
  };
  await gather();
  expect(await metrics()).toMatchObject({ late_seconds: 0 });
  await admin.addSource({ url: origin.show("/a.xml", { body: rssFeed([{ id: "a" }, { id: "b" }]) }) });
  await admin.addSource({ url: origin.show("/b.xml", { body: rssFeed([]) }) });
  origin.show("/b.xml", { status: 500 });
  clock.now += 5000;
  expect(await metrics()).toMatchObject({ late_seconds: 5 });
  await gather();
  const seen = { 'visits_total{outcome="succeeded"}': 1, 'visits_total{outcome="failed"}': 1 };
  expect(await metrics()).toMatchObject({ ...seen, 'posts_total{change="new"}': 2, late_seconds: 0 });
  origin.show("/a.xml", { body: rssFeed([{ id: "a", title: "Else" }]) });
  clock.now += DAY;
  await gather();
  expect(await metrics()).toMatchObject({
    ...{ 'visits_total{outcome="succeeded"}': 2, 'visits_total{outcome="failed"}': 2 },
    ...{ 'posts_total{change="new"}': 2, 'posts_total{change="changed"}': 1 },
  });
});
