import { type CurrentTarget, checkReceipt } from "@tandem/client/check-receipt";
import { MINUTE } from "@tandem/contract/durations";
import { stoppedClock } from "@tandem/testing/clock";
import { historiesOf } from "@tandem/testing/log-histories";
import { drawPicture } from "@tandem/testing/pictures";
import { sendStreamEvent, startTandemWithStreaming, streamOf } from "@tandem/testing/streaming";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { sweepOut } from "../../housekeeping.ts";
import { integrate } from "./integrate.ts";

describe.each(engines)("receipts of products, profiles, live streams and communities on %s", (engine) => {
  test("cover what everyone sees; a new version forgets the one before, and a deletion all", async () => {
    await using tandem = await startTandem(engine);
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const key = await tandem.as.key(undefined, person);
    const { username } = person.user;
    const image = new Blob([Uint8Array.from(await drawPicture())]);
    const bare = await tandem.as.human();
    const { product } = await person.createProduct({
      title: "Pot",
      url: "https://shop.example/ö?a=%20",
      price: 9.5,
    });
    await person.createCommunity({ name: "weaving", rules: "No \u2028 sales" });
    await person.setCommunityPicture({ name: "weaving", image });
    await person.editProfile({ bio: "Said by a person", links: ["https://example.org/"] });
    await person.setAvatar({ image });
    await person.setBanner({ image });
    await key.editProfile({ bio: "Said by a machine" });
    await person.startLive({ title: "On air" });
    const name = (kind: CurrentTarget["kind"], of: string | number) =>
      ({ baseUrl: tandem.baseUrl, kind, name: String(of) }) as const;
    const [shop, profile] = [name("product", product.id), name("profile", username.toUpperCase())];
    const [live, community] = [name("live", username), name("community", "weaving")];
    const report = async (target: CurrentTarget) => {
      const { ok, results, entry } = await checkReceipt(target);
      return [ok, results.media, results.inclusion, entry?.version, entry?.provenance];
    };
    const reports = () =>
      Promise.all([shop, profile, live, community, name("profile", agent.agent.username)].map(report));
    const shown = (inclusion: string) => [
      [true, "passed", inclusion, 1, "human"],
      [true, "passed", inclusion, 4, "ai_generated"],
      [true, "skipped", inclusion, 1, "human"],
      [true, "passed", inclusion, 2, "human"],
      [true, "skipped", inclusion, 1, "human"],
    ];
    expect(await reports()).toEqual(shown("pending"));
    await integrate(tandem.services);
    expect(await reports()).toEqual(shown("passed"));
    expect((await checkReceipt(name("profile", agent.agent.username))).receipt.operator).toBe(username);
    expect(await saltsOf(tandem)).toHaveLength(5);
    const bareReceipt = { kind: "profile", name: bare.user.username } as const;
    expect((await person.call("readReceipt", bareReceipt)).body).toMatchObject({ code: "no_receipt" });
    // Someone who changes a row without the log is found out.
    await tandem.storage.write(async (tx) => {
      await tx.updateTable("products").set({ url: "https://evil.example/" }).execute();
      await tx.updateTable("users").set({ bio_is_ai: 0 }).where("id", "=", person.user.id).execute();
      await tx.updateTable("communities").set({ rules: "Sales" }).execute();
    });
    expect((await checkReceipt(shop)).results).toMatchObject({ text: "failed", media: "passed" });
    expect((await checkReceipt(profile)).results).toMatchObject({ text: "failed", provenance: "failed" });
    expect((await checkReceipt(community)).results).toMatchObject({ text: "failed", author: "passed" });
    await key.editProduct({ id: product.id, title: "Kettle" });
    expect(await report(shop)).toEqual([true, "passed", "pending", 2, "ai_generated"]);
    // The name is free for the next account; the entries don't say whose it was.
    await person.endLive();
    await person.startLive({ title: "Again on air" });
    expect(await report(live)).toEqual([true, "skipped", "pending", 3, "human"]);
    await person.deleteAccount({ password: "correct horse" });
    expect(await saltsOf(tandem)).toHaveLength(1);
    await integrate(tandem.services);
    expect(await saltsOf(tandem)).toEqual([expect.objectContaining({ kind: "community" })]);
    for (const { kind, name } of [shop, profile, live])
      expect((await bare.call("readReceipt", { kind, name })).body).toMatchObject({ code: "not_found" });
    const said = await historiesOf(tandem);
    expect(said).toEqual({
      [`product ${product.id}`]: [1, 2, "deletion"],
      [`profile ${person.user.id}`]: [1, 2, 3, 4, "deletion"],
      [`profile ${agent.agent.id}`]: [1, "deletion"],
      [`live ${person.user.id}`]: [1, "deletion", 3, "deletion"],
      "community 1": [1, 2],
    });
  });

  test("a streaming server's stream is published when it begins, and deleted when it ends or falls silent", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandemWithStreaming(engine, { now: clock.now });
    const person = await tandem.as.human();
    const key = streamOf((await person.startLive({ title: "Prepared" })).ingest);
    const receipt = async () =>
      (await person.call("readReceipt", { kind: "live", name: person.user.username })).status;
    expect(await receipt()).toBe(404);
    await sendStreamEvent(tandem, "publish", key);
    await sendStreamEvent(tandem, "update_publish", key);
    expect(await receipt()).toBe(200);
    await person.startLive({ title: "Renamed" });
    await integrate(tandem.services);
    await sendStreamEvent(tandem, "publish_done", key);
    expect(await receipt()).toBe(404);
    await sendStreamEvent(tandem, "publish", key, 2);
    clock.pass(MINUTE);
    await sweepOut(tandem.services, new AbortController().signal, 1);
    await integrate(tandem.services);
    expect(await historiesOf(tandem)).toEqual({
      [`live ${person.user.id}`]: [1, 2, "deletion", 4, "deletion"],
    });
    expect(await saltsOf(tandem)).toEqual([]);
  });
});

/** What the log can still prove of products, profiles, live streams and communities. */
async function saltsOf({ storage: { read } }: Tandem) {
  const added = await read.selectFrom("current_receipts").selectAll().where("salt", "is not", null).execute();
  const pending = await read.selectFrom("log_pending").selectAll().where("salt", "is not", null).execute();
  return [...added, ...pending];
}
