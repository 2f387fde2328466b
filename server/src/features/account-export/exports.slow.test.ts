import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { DAY } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { pixel } from "@tandem/testing/inputs";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { programOf } from "@tandem/testing/programs";
import { temporaryDirectory } from "@tandem/testing/storage";
import { enginesWithStores, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { pushSubscriptionOf } from "@tandem/testing/webhook-fixtures";
import { describe, expect, test, vi } from "vitest";
import { claim } from "../../jobs/queue.ts";
import { sweepExports } from "./exports.queries.ts";
import { exportQueue, makeExports } from "./exports.ts";

const execute = promisify(execFile);

describe.each(enginesWithStores)("exports on %s and %s", (engine, store) => {
  const once = testOnce(engine);
  const clock = stoppedClock();
  const start = (env = {}) => startTandem(engine, { store, now: clock.now, env });

  test("contain everything an account has, in standard formats", async () => {
    await using tandem = await start();
    const [ada, bob] = await Promise.all([tandem.as.human("ada"), tandem.as.human("bob")]);
    const robot = await tandem.as.agent(ada, "robot");
    await ada.setAvatar({ image: pixel });
    await ada.createCommunity({ name: "looms", description: "On **looms**", rules: "Be kind." });
    const { community } = await ada.setCommunityPicture({ name: "looms", image: pixel });
    const { post } = await ada.createPost({ title: "On looms 😀", body: "They knit.", image: pixel });
    const { post: theirs } = await bob.createPost({ title: "Bob's own" });
    const { comment } = await ada.createComment({ id: theirs.id, body: "Well sayd." });
    await ada.editComment({ id: comment.id, body: "Well said." });
    await ada.editPost({ id: post.id, body: "They weave." });
    await bob.createComment({ id: post.id, body: "Bob's words" });
    await ada.likePost({ id: theirs.id });
    await ada.savePost({ id: theirs.id });
    await ada.follow({ platform: "native", author: "bob" });
    await bob.sendMessage({ username: "ada", body: "Have you a minute?" });
    await ada.sendMessage({ username: "bob", body: "I have." });
    const { request } = await bob.requestFriend({ username: "ada" });
    await ada.acceptFriend({ id: request.id });
    await tandem.as.human("eve");
    await ada.requestFriend({ username: "eve" });
    await tandem.as.human("mallory");
    await ada.block({ username: "mallory" });
    await ada.createDraft({ title: "Not yet" });
    await ada.editKey({ id: robot.keyId, approval: true });
    const draftId = await pendingDraft(robot.createPost({ title: "Buy" }));
    await ada.deleteDraft({ id: draftId });
    await ada.createWebhook({ url: "https://example.org/hook" });
    await ada.subscribeToPush(pushSubscriptionOf("ada"));
    await ada.createReport({ username: "mallory", reason: "Noise" });
    await ada.createProduct({ title: "Pot", url: "https://example.org/pot", price: "9.90" });
    expect(await ada.readExport()).toEqual({ state: "none", url: null, bytes: null, expiresAt: null });
    await ada.followTag({ tag: "Weaving" });
    await ada.followCommunity({ platform: "lemmy", community: "looms" });
    await ada.createSavedSearch({ name: "Looms", q: "loom" });
    expect((await ada.startExport()).state).toBe("working");
    await tandem.services.afterResponse.idle();
    const { state, url, bytes, expiresAt } = await ada.readExport();
    expect([state, expiresAt]).toEqual(["ready", new Date(clock.now() + 3 * DAY).toISOString()]);

    const response = await fetched(tandem, ada, String(url));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": 'attachment; filename="tandem-ada.zip"',
      "cache-control": "private, no-store",
      "content-length": String(bytes),
    });
    const files = await unpacked(Buffer.from(await response.arrayBuffer()));
    const json = (name: string): unknown => JSON.parse(String(files.get(name)));
    expect(json("profile.json")).toMatchObject({ username: "ada", email: "ada@example.org" });
    expect(json("posts.json")).toMatchObject([
      { id: post.id, title: "On looms 😀", commentCount: 1, score: 0 },
    ]);
    expect(json("comments.json")).toMatchObject([{ postId: theirs.id, body: "Well said." }]);
    expect(json("post-versions.json")).toMatchObject([{ postId: post.id, version: 1, body: "They knit." }]);
    expect(json("comment-versions.json")).toMatchObject([{ commentId: comment.id, body: "Well sayd." }]);
    for (const name of ["post-likes", "saves"]) expect(json(`${name}.json`)).toEqual([{ postId: theirs.id }]);
    expect(json("follows.json")).toEqual([{ platform: "native", author: "bob" }]);
    expect(json("followed-tags.json")).toEqual([{ name: "Weaving" }]);
    expect(json("followed-communities.json")).toContainEqual({ platform: "lemmy", community: "looms" });
    expect(json("saved-searches.json")).toMatchObject([{ name: "Looms", query: { q: "loom" } }]);
    expect(json("products.json")).toMatchObject([{ title: "Pot" }]);
    expect(json("messages.json")).toMatchObject([
      { with: "bob", mine: 0, body: "Have you a minute?" },
      { with: "bob", mine: 1, body: "I have." },
    ]);
    expect(json("friends.json")).toMatchObject([{ username: "bob" }]);
    expect(json("friend-requests.json")).toMatchObject([{ from: "ada", to: "eve" }]);
    expect(json("blocks.json")).toMatchObject([{ username: "mallory" }]);
    expect(json("drafts.json")).toMatchObject([{ operation: "createPost", input: { title: "Not yet" } }]);
    expect(json("draft-decisions.json")).toMatchObject([
      { draftId, operation: "createPost", decision: "rejected" },
    ]);
    expect(json("webhooks.json")).toMatchObject([{ url: "https://example.org/hook", state: "unconfirmed" }]);
    expect(json("push-subscriptions.json")).toMatchObject([{ failingSinceAt: null }]);
    expect(json("reports.json")).toMatchObject([{ reason: "Noise" }]);
    expect(json("decisions.json")).toEqual([]);
    expect(json("agents.json")).toMatchObject([{ username: "robot" }]);
    expect(json("keys.json")).toMatchObject([
      { name: "robot", hint: expect.stringMatching(/^tandem_live_/) },
    ]);
    expect(json("notifications.json")).toMatchObject([
      { type: "comment", actor: "bob" },
      { type: "friend_request", actor: "bob" },
      { type: "approval_wanted", actor: "robot", draftId },
    ]);
    expect(json("comment-likes.json")).toEqual([]);
    const stored = [...files.keys()].filter((name) => name.startsWith("media/"));
    expect(stored).toContain(String(post.mediaUrl).slice(1));
    expect(stored).toContain(String(community.pictureUrl).slice(1));
    expect(json("communities.json")).toMatchObject([
      {
        ...{ name: "looms", role: "owner", pictureUrl: community.pictureUrl, untilAt: null },
        ...{ description: "On **looms**", rules: "Be kind.", aiPolicy: "open" },
      },
    ]);
    // No credentials, and nothing that others wrote.
    const all = [...files.values()].join("\n");
    const row = await tandem.storage.read.selectFrom("keys").select("hash").executeTakeFirstOrThrow();
    const { endpoint, auth } = pushSubscriptionOf("ada");
    for (const secret of [row.hash, "argon2", "whsec_", endpoint, auth, "Bob's words", "Bob's own"])
      expect(all).not.toContain(secret);
  });

  once("contain preferences, removed posts and agents' data", async () => {
    await using tandem = await start();
    const [ada, bob, carl] = [
      await tandem.as.human("ada"),
      await tandem.as.human("bob"),
      await tandem.as.human(),
    ];
    const robot = await tandem.as.agent(ada, "robot");
    const { post } = await robot.createPost({ title: "Beep", image: pixel });
    const { post: taken } = await robot.createPost({ title: "Buy teapots", image: pixel });
    await makeAdmin(tandem.storage, carl);
    await carl.removePost({ id: taken.id, reason: "Advertising" });
    await bob.sendMessage({ username: "robot", body: "Hello, robot" });
    const { request } = await bob.requestFriend({ username: "ada" });
    await ada.declineFriend({ id: request.id });
    await ada.editPreferences({ aiPosts: "dim" });
    await ada.chooseNotifications({ agents: ["comment"] });
    await ada.createReport({ username: "bob", reason: "Noise" });
    const files = await exported(tandem, ada);
    const json = (name: string): unknown => JSON.parse(String(files.get(name)));
    expect(json("profile.json")).toMatchObject({
      preferences: { aiPosts: "dim" },
      security: { twoFactor: false, hasPassword: true },
    });
    expect(json("muted-notifications.json")).toContainEqual({ source: "agents", type: "post_like" });
    expect(json("declined-friend-requests.json")).toMatchObject([{ from: "bob" }]);
    expect(json("reports.json")).toMatchObject([{ kind: "account", targetId: bob.user.id, reason: "Noise" }]);
    expect([json("passkeys.json"), json("sign-in-providers.json")]).toEqual([[], []]);
    expect(json("agents/robot/profile.json")).toMatchObject({ username: "robot", role: "agent" });
    expect(json("agents/robot/posts.json")).toMatchObject([{ title: "Beep" }]);
    expect(json("agents/robot/removed-posts.json")).toMatchObject([{ title: "Buy teapots" }]);
    expect(json("agents/robot/decisions.json")).toMatchObject([{ postId: taken.id, reason: "Advertising" }]);
    expect(json("agents/robot/messages.json")).toMatchObject([
      { with: "bob", mine: 0, body: "Hello, robot" },
    ]);
    const created = { operation: "createPost" };
    expect(json("agents/robot/activity.json")).toMatchObject([created, created]);
    for (const { mediaUrl } of [post, taken]) expect([...files.keys()]).toContain(String(mediaUrl).slice(1));
    expect([...files.keys()].filter((name) => name.startsWith("agents/") && name.includes("keys"))).toEqual(
      [],
    );
  });

  test("contain whole conversations, however long, and only the account's own", async () => {
    await using tandem = await start();
    const [ada, bob, eve] = [
      await tandem.as.human(),
      await tandem.as.human("bob"),
      await tandem.as.human("eve"),
    ];
    for (const other of [bob, eve]) await other.sendMessage({ username: ada.user.username, body: "0" });
    await eve.sendMessage({ username: "bob", body: "Between us" });
    await tandem.storage.write(async (tx) => {
      const messages = await tx.selectFrom("messages").selectAll().where("body", "=", "0").execute();
      for (const { id: _, ...row } of messages)
        for (let i = 1; i < 700; i += 100) {
          const rows = Array.from({ length: 100 }, (__, j) => ({ ...row, body: String(i + j) }));
          await tx.insertInto("messages").values(rows).execute();
        }
    });
    const found = JSON.parse(String((await exported(tandem, ada)).get("messages.json")));
    const numbers = Array.from({ length: 701 }, (_, i) => String(i));
    for (const other of ["bob", "eve"])
      expect(
        found.flatMap((message: { with: string; body: string }) =>
          message.with === other ? [message.body] : [],
        ),
      ).toEqual(numbers);
  });

  test("can only be downloaded by the owner, with a session", async () => {
    await using tandem = await start();
    const [ada, eve] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    const agent = await tandem.as.agent(ada);
    const asAgent = await tandem.as.agentSession(ada, agent.agent.id);
    await ada.startExport();
    await tandem.services.afterResponse.idle();
    const { url, bytes } = await ada.readExport();
    const { store } = tandem.services.media;
    const open = store.open.bind(store);
    const stream = () => Promise.reject(new Error("HEAD reads nothing"));
    vi.spyOn(store, "open").mockImplementationOnce(async (name) => {
      const file = await open(name);
      return file && Object.assign(file, { stream });
    });
    const head = await fetch(tandem.baseUrl + url, { method: "HEAD", headers: { ...ada.options.headers } });
    expect([head.status, Number(head.headers.get("content-length"))]).toEqual([200, bytes]);
    const status = async (caller: Caller) => (await fetched(tandem, caller, String(url))).status;
    const keyed = tandem.as.with({ authorization: `Bearer ${agent.options.key}` });
    const callers = [ada, eve, asAgent, keyed, tandem.as.anonymous()];
    expect(await Promise.all(callers.map(status))).toEqual([200, 404, 403, 403, 401]);
    const { file } = await tandem.storage.read.selectFrom("exports").select("file").executeTakeFirstOrThrow();
    expect((await fetch(`${tandem.baseUrl}/media/${file}`)).status).toBe(404);
  });

  test("is deleted when it expires or a new one is created", async () => {
    await using tandem = await start();
    const ada = await tandem.as.human();
    const storedFiles = async () => {
      const names = [];
      for await (const { name } of tandem.services.media.store.list()) names.push(name);
      return names;
    };
    for (const _ of [1, 2]) {
      await ada.startExport();
      await tandem.services.afterResponse.idle();
    }
    await sweepExports(tandem.services);
    expect(await storedFiles()).toHaveLength(1);
    clock.pass(3 * DAY);
    expect((await ada.readExport()).state).toBe("none");
    await sweepExports(tandem.services);
    expect(await storedFiles()).toEqual([]);
    expect(await tandem.storage.read.selectFrom("exports").selectAll().execute()).toEqual([]);
  });

  test("is finished by another process if one dies", async () => {
    await using tandem = await start();
    const ada = await tandem.as.human();
    const now = clock.now();
    await tandem.storage.write((tx) =>
      tx
        .insertInto("exports")
        .values({
          user_id: ada.user.id,
          file: "begun.export.zip",
          due_at: now,
          bytes: null,
          expires_at: now + 1e9,
        })
        .execute(),
    );
    await tandem.storage.write((tx) => claim(tx, exportQueue, { now, limit: 1 }));
    await makeExports(tandem.services);
    expect((await ada.readExport()).state).toBe("working");
    expect((await ada.startExport()).state).toBe("working");
    await tandem.storage.write((tx) => tx.updateTable("exports").set({ lease_ends_at: 0 }).execute());
    await makeExports(tandem.services);
    // The request above starts a run, too, which may have been first.
    await expect.poll(async () => (await ada.readExport()).state).toBe("ready");
  });

  test("limits exports per day", async () => {
    await using tandem = await start({ LIMIT_THROTTLES_EXPORT_PER_ACCOUNT_LIMIT: "1" });
    const ada = await tandem.as.human();
    // No export is created until all three requests are answered, because a request after a finished export would count.
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    tandem.services.afterResponse.run("exports", () => blocked);
    const exportCalls = await Promise.all([1, 2, 3].map(() => ada.call("startExport")));
    expect(exportCalls.map(({ status }) => status)).toEqual([200, 200, 200]);
    release();
    await tandem.services.afterResponse.idle();
    await makeExports(tandem.services);
    expect((await ada.call("startExport")).status).toBe(429);
  });
});

/** The contents of an account's export. */
async function exported(tandem: Tandem, owner: Caller): Promise<Map<string, string>> {
  await owner.startExport();
  await tandem.services.afterResponse.idle();
  const { url } = await owner.readExport();
  return unpacked(Buffer.from(await (await fetched(tandem, owner, String(url))).arrayBuffer()));
}

function fetched({ baseUrl }: Tandem, caller: Caller, path: string): Promise<Response> {
  return fetch(baseUrl + path, { headers: { ...caller.options.headers } });
}

/** The files of the archive by path, as read by a third-party program. */
async function unpacked(zip: Buffer): Promise<Map<string, string>> {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, "export.zip");
  await writeFile(path, zip);
  await execute(await programOf("python3"), ["-m", "zipfile", "-e", path, join(directory.path, "out")]);
  const files = await readdir(join(directory.path, "out"), { recursive: true, withFileTypes: true });
  const found = new Map<string, string>();
  for (const file of files.filter((entry) => entry.isFile())) {
    const at = join(file.parentPath, file.name);
    found.set(
      at.slice(join(directory.path, "out").length + 1),
      await readFile(at, "latin1").then(decoded(file.name)),
    );
  }
  return found;
}

function decoded(name: string) {
  return (text: string) => (name.endsWith(".json") ? Buffer.from(text, "latin1").toString() : text);
}
