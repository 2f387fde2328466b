import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { authenticate } from "../../http/credential.ts";
import { editProduct } from "./products.ts";
import { refreshDueCards } from "./refresh-queue.ts";

/** More than two batches. */
const POSTS = 230;

describe.each(engines)("a product on many posts on %s", (engine) => {
  test("changes on some posts at once, and on all others later, each together with its mark and version", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem(engine, { now: clock.now });
    const ada = await tandem.as.human();
    const key = await tandem.as.key(["products:write"], ada);
    const { id } = (await ada.createProduct({ title: "Loom", url: "https://example.org/loom" })).product;
    for (let i = 0; i < POSTS; i += 1) await ada.createPost({ title: `Post ${i}`, productIds: [id] });
    const shown = async () => {
      const { rows } = await sql<{ shown: string; times: number }>`
        select title || ', ' || provenance || ', version ' || version as shown, count(*) as times from (
          select provenance, version, case when fragment like '%"Fine loom"%' then 'Fine loom'
            when fragment like '%"Finest loom"%' then 'Finest loom' else 'Loom' end as title from posts
        ) as seen group by title, provenance, version order by title`.execute(tandem.storage.read);
      return Object.fromEntries(rows.map(({ shown, times }) => [shown, Number(times)]));
    };
    // As the handler does it, but the process dies before it sees to the rest.
    const edit = async (title: string) => {
      const { caller } = await authenticate(tandem.services, { authorization: `Bearer ${key.options.key}` });
      if (!caller) throw new Error("the key doesn't work");
      const { services } = tandem;
      await services.storage.write((tx) =>
        editProduct({ services, caller, now: clock.now() }, tx, { id, title }),
      );
    };
    expect(await shown()).toEqual({ "Loom, human, version 1": POSTS });
    await edit("Fine loom");
    expect(await shown()).toEqual({
      "Fine loom, ai_generated, version 2": 100,
      "Loom, human, version 1": POSTS - 100,
    });
    // A person's edit meanwhile takes no mark off.
    await ada.editProduct({ id, title: "Finest loom" });
    await tandem.services.afterResponse.idle();
    await refreshDueCards(tandem.services);
    expect(await shown()).toEqual({ "Finest loom, ai_generated, version 2": POSTS });
    const { versions } = await ada.listPostVersions({ id: 1 });
    expect(versions.map(({ madeBy, key: by }) => [madeBy, by?.id])).toEqual([
      ["ai", key.keyId],
      ["person", undefined],
    ]);
    const pending = await tandem.storage.read.selectFrom("products").select(["due_at", "holder"]).execute();
    expect(pending).toEqual([{ due_at: null, holder: null }]);
  });
});
