import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY, HOUR, MINUTE } from "@tandem/contract/durations";
import { stoppedClock } from "@tandem/testing/clock";
import { eventually } from "@tandem/testing/eventually";
import { pixel } from "@tandem/testing/inputs";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { makeVideo } from "@tandem/testing/videos";
import { describe, expect, test } from "vitest";
import { drawPosters } from "../features/posts/posters.ts";
import { deleteOrphans, sweepStore } from "./delete-orphans.ts";
import { nameFor } from "./names.ts";
import { addMedium, detachPicture } from "./rows.ts";

const worlds = [
  ["sqlite", "disk"],
  ["postgres", "s3"],
] as const;

async function stored({ services }: Tandem): Promise<string[]> {
  await services.afterResponse.idle();
  const names: string[] = [];
  for await (const { name } of services.media.store.list()) names.push(name);
  return names.sort();
}

describe.each(worlds)("leftovers of a process that died, on %s and %s", (engine, store) => {
  test("files without a row are deleted after a day", async () => {
    await using tandem = await startTandem(engine, { store });
    const { media } = tandem.services;
    await (await tandem.as.human()).createPost({ title: "Kept", image: pixel });
    const kept = await stored(tandem);
    expect(kept.length).toBeGreaterThan(0);
    const stray = join(media.incoming, "stray");
    await writeFile(stray, "x");
    await media.store.put(nameFor(randomBytes(32), "webp"), stray);
    await sweepStore(tandem.services);
    expect((await stored(tandem)).length).toBe(kept.length + 1);
    await sweepStore(tandem.services, Date.now() + MINUTE);
    expect(await stored(tandem)).toEqual(kept);
  });

  test("files of other users of the store stay", async () => {
    await using tandem = await startTandem(engine, { store });
    const { media } = tandem.services;
    const stray = join(media.incoming, "stray");
    await mkdir(media.incoming, { recursive: true });
    await writeFile(stray, "x");
    await media.store.put("other-app/invoice.pdf", stray);
    await sweepStore(tandem.services, Date.now() + MINUTE);
    expect(await stored(tandem)).toEqual([expect.stringMatching(/invoice\.pdf$/)]);
  });

  test("files of deleted posts are deleted by the next run of any process", async () => {
    await using tandem = await startTandem(engine, { store });
    const { post } = await (await tandem.as.human()).createPost({ title: "Going", image: pixel });
    await tandem.storage.write((tx) => tx.deleteFrom("posts").where("id", "=", post.id).execute());
    expect((await stored(tandem)).length).toBeGreaterThan(0);
    await deleteOrphans(tandem.services);
    expect(await stored(tandem)).toEqual([]);
    expect(await tandem.storage.read.selectFrom("media").selectAll().execute()).toEqual([]);
  });

  test("another process creates an unfinished poster after a while", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem(engine, { store, now: clock.now });
    const ada = await tandem.as.human();
    const video = new Blob([new Uint8Array(await makeVideo())]);
    const { post } = await ada.createPost({ title: "Weaving", video });
    await tandem.services.afterResponse.idle();
    const state = async () => (await ada.readPost({ id: post.id })).post.mediaState;
    const begun = (lease_ends_at: number) =>
      tandem.storage.write((tx) =>
        tx
          .updateTable("media")
          .set({ state: "preparing", due_at: clock.now(), holder: "dead", lease_ends_at })
          .execute(),
      );
    const rows = () => tandem.storage.read.selectFrom("media").select(["state", "attempts"]).execute();
    expect(await state()).toBe("ready");
    expect(await rows()).toEqual([{ state: "ready", attempts: 1 }]);
    await begun(Number.MAX_SAFE_INTEGER);
    await drawPosters(tandem.services);
    expect(await rows()).toEqual([{ state: "preparing", attempts: 1 }]);
    await begun(0);
    await Promise.all([drawPosters(tandem.services), drawPosters(tandem.services)]);
    expect(await rows()).toEqual([{ state: "ready", attempts: 2 }]);
  });

  test("files that couldn't be marked are tried again an hour later", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem(engine, { store, now: clock.now });
    const ada = await tandem.as.human();
    const { post } = await ada.createPost({ title: "By hand", image: pixel });
    const { services, storage } = tandem;
    await services.afterResponse.idle();
    const mediaUrl = async () => (await ada.readPost({ id: post.id })).post.mediaUrl;
    const key = await tandem.as.key(["posts:write"], ada);
    await key.editPost({ id: post.id, title: "By key" });
    await services.afterResponse.idle();
    const marks = async () =>
      (
        await storage.read
          .selectFrom("media_files as f")
          .innerJoin("media as m", "m.id", "f.media_id")
          .select("f.mark")
          .where("m.post_id", "=", post.id)
          .execute()
      ).map(({ mark }) => mark);
    expect(await marks()).not.toContain(null);
    // Every attempt so far ended with its process.
    const died = { due_at: clock.now(), attempts: 3, holder: "dead", lease_ends_at: 0 };
    await storage.write(async (tx) => {
      await tx.updateTable("media").set(died).execute();
      await tx.updateTable("media_files").set({ mark: null }).execute();
    });
    const unmarked = await mediaUrl();
    for (const wait of [0, HOUR - 1]) {
      clock.pass(wait);
      await drawPosters(services);
      expect(await mediaUrl()).toBe(unmarked);
    }
    clock.pass(1);
    await drawPosters(services);
    expect(await marks()).not.toContain(null);
  });
});

describe.each(engines)("a file that can't be deleted, on %s", (engine) => {
  test("doesn't block other files, and is deleted as soon as possible", async () => {
    await using directory = await temporaryDirectory();
    await using tandem = await startTandem(engine, { dataDir: directory.path });
    const { user } = await tandem.as.human();
    const names = Array.from({ length: 250 }, () => nameFor(randomBytes(32), "webp"));
    const [first = ""] = names;
    await tandem.storage.write(async (tx) => {
      for (const name of names) {
        const file = { name, variant: "full", bytes: 1, width: 1, height: 1, sha256: null };
        await addMedium(tx, { owner: { user_id: user.id }, state: "ready", files: [file], now: 0 });
      }
      await detachPicture(tx, user.id, "avatar");
    });
    const left = () => tandem.storage.read.selectFrom("media_files").select("name").execute();
    const clear = await obstruct(directory.path, first);
    await expect(deleteOrphans(tandem.services)).rejects.toThrow("couldn't be deleted");
    expect(await left()).toEqual([{ name: first }]);
    await clear();
    await deleteOrphans(tandem.services);
    expect(await left()).toEqual([]);
  });

  test("doesn't block the deletion of orphaned files", async () => {
    await using directory = await temporaryDirectory();
    await using tandem = await startTandem(engine, { dataDir: directory.path });
    const { media } = tandem.services;
    const [stuck, stray] = [nameFor(randomBytes(32), "webp"), nameFor(randomBytes(32), "webp")];
    await obstruct(directory.path, stuck);
    await mkdir(media.incoming, { recursive: true });
    await writeFile(join(media.incoming, "stray"), "x");
    await media.store.put(stray, join(media.incoming, "stray"));
    const list = async function* () {
      for (const name of [stuck, stray]) yield { name, storedAt: 0 };
    };
    const seen = { ...tandem.services, media: { ...media, store: { ...media.store, list } } };
    await expect(sweepStore(seen)).rejects.toThrow("couldn't be deleted");
    expect(await stored(tandem)).toEqual([]);
  });
});

/** Puts a directory in the file's place. */
async function obstruct(dataDir: string, name: string): Promise<() => Promise<void>> {
  const path = join(dataDir, "media", name.slice(0, 2), name);
  await mkdir(path, { recursive: true });
  return () => rm(path, { recursive: true });
}

test("unfinished uploads of a dead process are deleted at the next start", async () => {
  await using directory = await temporaryDirectory();
  const incoming = join(directory.path, "incoming");
  const [old, fresh] = [join(incoming, "form-old"), join(incoming, "form-fresh")];
  for (const folder of [old, fresh]) await mkdir(folder, { recursive: true });
  await writeFile(join(old, "video"), "x");
  const yesterday = new Date(Date.now() - DAY);
  await utimes(old, yesterday, yesterday);
  await using _tandem = await startTandem("sqlite", { dataDir: directory.path });
  await eventually(async () => expect(await readdir(incoming)).toEqual(["form-fresh"]));
});
