import { insertPosts } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claimLink, dueLink, releaseLease, setLink } from "./links.queries.ts";

describe.each(engines)("links that are due on %s", (engine) => {
  const now = Date.UTC(2026, 5, 1);
  let tandem: Tandem;
  beforeEach(async () => {
    tandem = await startTandem(engine, { env: { LINK_CARDS: "1" } });
  });
  afterEach(() => tandem.stop());

  const link = (urls: string[]) =>
    tandem.storage.write(async (tx) => {
      const ids = await insertPosts(
        tx,
        urls.map((url) => ({ url })),
      );
      for (const [i, id] of ids.entries())
        await setLink({ services: tandem.services, now }, tx, id, urls[i] ?? null);
    });
  const claim = (holder: string, at = now) =>
    tandem.storage.write((tx) => claimLink(tx, { now: at, gathered: false, holder, lease: 1000 }));

  test("are taken by one, and none of a host that is being asked already", async () => {
    const hosts = ["a.example", "b.example", "c.example"];
    await link(hosts.flatMap((host) => [1, 2, 3].map((page) => `https://${host}/${page}`)));
    const taken = await Promise.all(Array.from({ length: 8 }, (_, i) => claim(`holder ${i}`)));
    // One that comes at the same moment as another may go away empty-handed, and looks again.
    taken.push(await claim("late"), await claim("later"), await claim("latest"));
    const held = taken.filter((one) => one !== null);
    expect(held.map(({ host }) => host).sort()).toEqual(hosts);
    for (const one of held) await tandem.storage.write((tx) => releaseLease(tx, one, { due_at: null }));
    expect((await claim("next"))?.url).toBe("https://a.example/2");
  });

  test("are another's where whoever took them has died", async () => {
    await link(["https://a.example/"]);
    const dead = await claim("dead");
    expect(await claim("early", now + 999)).toBeNull();
    const heir = await claim("heir", now + 1000);
    expect(heir).toMatchObject({ post_id: dead?.post_id, attempts: 2 });
    if (dead) await tandem.storage.write((tx) => releaseLease(tx, dead, { due_at: null }));
    const rows = await tandem.storage.read.selectFrom("post_links").selectAll().execute();
    expect(rows).toEqual([heir]);
  });

  test("are found without a look at those that rest", async () => {
    await link(Array.from({ length: 1000 }, (_, i) => `https://${i}.example/`));
    await tandem.storage.write(async (tx) => {
      await tx.updateTable("post_links").set({ due_at: null }).where("post_id", ">", 3).execute();
      await sql`analyze`.execute(tx);
    });
    const plan = await dueLink(tandem.storage.read, { now, gathered: false }).explain(
      undefined,
      engine === "sqlite" ? sql`query plan` : undefined,
    );
    expect(JSON.stringify(plan)).toContain("post_links_due");
    expect(JSON.stringify(plan)).not.toMatch(/Seq Scan on post_links\b|SCAN post_links/);
  });
});
