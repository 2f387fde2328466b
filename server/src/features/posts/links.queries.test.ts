import { insertPosts } from "@tandem/testing/imported-posts";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claim, dueKeys, LeaseLostError, release } from "../../jobs/queue.ts";
import { cardQueue } from "./link-cards.ts";
import { type Link, linkTable, ownLinks, setLink } from "./links.queries.ts";

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
  const claimOne = async () => {
    const [link = null] = await tandem.storage.write((tx) => claim(tx, cardQueue, { now, limit: 1 }));
    return link;
  };

  test("are leased by one worker, and only one per host", async () => {
    const hosts = ["a.example", "b.example", "c.example"];
    await link(hosts.flatMap((host) => [1, 2, 3].map((page) => `https://${host}/${page}`)));
    const claims = await Promise.all(Array.from({ length: 8 }, claimOne));
    // A concurrent claim may find nothing.
    claims.push(await claimOne(), await claimOne(), await claimOne());
    const leased = claims.filter((link) => link !== null);
    expect(leased.map(({ host }) => host).sort()).toEqual(hosts);
    for (const link of leased)
      await tandem.storage.write((tx) => release(tx, linkTable, link, { due_at: null }));
    // Concurrent claims may have skipped a row that another one had locked.
    const [first] = [1, 2, 3]
      .map((page) => `https://a.example/${page}`)
      .filter((url) => !leased.some((link) => link.url === url));
    expect((await claimOne())?.url).toBe(first);
  });

  test("can be leased again when a lease has expired", async () => {
    await link(["https://a.example/"]);
    const dead = await claimOne();
    expect(await claimOne()).toBeNull();
    await tandem.storage.write((tx) => tx.updateTable("post_links").set({ lease_ends_at: 0 }).execute());
    const retry = await claimOne();
    expect(retry).toMatchObject({ post_id: dead?.post_id, attempts: 2 });
    const late = tandem.storage.write((tx) => release(tx, linkTable, dead as Link, { due_at: null }));
    await expect(late).rejects.toThrow(LeaseLostError);
    const rows = await tandem.storage.read.selectFrom("post_links").selectAll().execute();
    expect(rows).toEqual([retry]);
  });

  test("are found by index, without reading those that aren't due", async () => {
    await link(Array.from({ length: 1000 }, (_, i) => `https://${i}.example/`));
    await tandem.storage.write(async (tx) => {
      await tx.updateTable("post_links").set({ due_at: null }).where("post_id", ">", 3).execute();
      await sql`analyze`.execute(tx);
    });
    const due = dueKeys(tandem.storage.read, ownLinks, { now, limit: 1 });
    const explain = engine === "sqlite" ? sql`explain query plan` : sql`explain`;
    const { rows: plan } = await sql`${explain} ${due}`.execute(tandem.storage.read);
    expect(JSON.stringify(plan)).toContain("post_links_due");
    expect(JSON.stringify(plan)).not.toMatch(/Seq Scan on post_links\b|SCAN post_links/);
  });
});
