import { DAY, HOUR } from "@tandem/contract/durations";
import { isWrite, type Operation } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller, Person } from "@tandem/testing/callers";
import { ReusableUser } from "@tandem/testing/inputs";
import { cpuTime } from "@tandem/testing/measure";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BEGINNING, hashOf } from "../../http/audit.ts";
import { firstBroken } from "./chain.ts";

const forAdmins = (op: Operation) => op.access.kind === "session" && op.access.admins === true;
const acts = operationList.filter((op) => isWrite(op) && forAdmins(op));

describe.each(engines)("the audit log on %s", (engine) => {
  let tandem: Tandem;
  let users: ReusableUser;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    users = new ReusableUser(tandem);
  });
  afterAll(() => tandem.stop());

  const latestOf = async (admin: Person) => (await admin.listAudit({ limit: 1 })).entries[0];

  test.each(acts.map(({ name }) => name as OperationName))(
    "records each %s, but no dry run",
    async (name) => {
      const { person, inputs, dry, before, unchanged } = await users.attempt(
        async ({ person, inputs }) => {
          const before = await latestOf(person);
          const dry = await person.call(name, inputs[name], { dryRun: true });
          return { person, inputs, dry, before, unchanged: await latestOf(person) };
        },
        ({ dry }) => dry.status === 200,
      );
      expect([name, dry.status]).toEqual([name, 200]);
      expect(unchanged).toEqual(before);
      const { status, body } = await person.call(name, inputs[name]);
      expect([name, status]).toEqual([name, 200]);
      const after = await latestOf(person);
      expect(after).toMatchObject({ act: name, actor: person.user.username });
      // What no longer exists is named.
      const gone = "username" in body ? { username: body.username } : {};
      const hashes = "file" in inputs[name] ? { file: expect.stringMatching(/^[\da-f]{64}$/) } : {};
      expect(JSON.parse(after?.detail ?? "")).toEqual({ ...inputs[name], ...gone, ...hashes });
      const { entries } = await person.listAudit({ actor: person.user.username, limit: 1 });
      expect(entries).toEqual([after]);
    },
  );

  test("can't be changed or truncated in the database", async () => {
    const changes = [
      sql`update audit_log set act = 'nothing'`,
      sql`update audit_log set id = id + 1000`,
      sql`delete from audit_log`,
      ...(engine === "postgres" ? [sql`truncate audit_log`] : []),
    ];
    for (const change of changes)
      await expect(tandem.storage.write((tx) => change.execute(tx))).rejects.toThrow("append-only");
  });

  test("stays one hash chain under concurrent writes, and reveals a forged entry", async () => {
    const admins = await Promise.all(Array.from({ length: 4 }, () => tandem.as.human()));
    for (const admin of admins) await makeAdmin(tandem.storage, admin);
    await Promise.all(
      admins.flatMap((admin, i) =>
        Array.from({ length: 4 }, (_, j) => admin.denyLink({ host: `h${i}x${j}.example` })),
      ),
    );
    expect(await firstBroken(tandem.storage.read, 7)).toMatchObject({ broken: null });
    const rows = await tandem.storage.read.selectFrom("audit_log").selectAll().orderBy("id").execute();
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_, i) => i + 1));
    expect(rows[0]?.before).toBe(BEGINNING);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length);
    const last = rows.at(-1);
    if (!last) throw new Error("there is an entry");
    const forged = { ...last, id: last.id + 1, act: "nothing", before: BEGINNING };
    const entry = { ...forged, hash: hashOf(forged) };
    await tandem.storage.write((tx) => tx.insertInto("audit_log").values(entry).execute());
    expect(await firstBroken(tandem.storage.read, 7)).toMatchObject({ broken: entry.id });
  });
});

describe.each(engines)("automatic moderation on %s", (engine) => {
  const once = testOnce(engine);
  let now = Date.parse("2026-06-01T12:00:00.000Z");
  let tandem: Tandem;
  let admin: Person;
  beforeAll(async () => {
    const env = {
      LIMIT_THROTTLES_SAME_TEXT_PER_ACCOUNT_LIMIT: "2",
      DATABASE_REPLICA_URL: "",
      SECURITY_CONTACT: "mailto:safe@example.org",
    };
    tandem = await startTandem(engine, { env, now: () => now });
    admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());

  const refusal = async (caller: Caller, name: OperationName, input: object) => {
    const { status, body } = await caller.call(name, input);
    return status === 200 ? "200" : `${status} ${body.code} ${body.field}`;
  };

  once("refuses links to a denied host in every field and spelling", async () => {
    await admin.denyLink({ host: "Spam.Example", reason: "Sells nothing else." });
    const person = await tandem.as.human();
    const { post } = await person.createPost({
      title: "A good link",
      url: "https://example.org/spam.example",
    });
    const places: [OperationName, string, object][] = [
      ["createPost", "url", { title: "x", url: "https://spam.example/a" }],
      ["createPost", "url", { title: "x", url: "http://user:pw@WWW.spam.example:8080/" }],
      ["createPost", "title", { title: "See spam.example now" }],
      ["createPost", "body", { title: "x", body: "(https://a.b.spam.example/?q)" }],
      ["createPost", "body", { title: "x", body: "https:\\\\ｓｐａｍ。example" }],
      ["editPost", "body", { id: post.id, body: "spam.example." }],
      ["createComment", "body", { id: post.id, body: "//spam.example/x" }],
      ["createProduct", "url", { title: "x", url: "https://spam.example" }],
      [
        "createProduct",
        "imageUrl",
        { title: "x", url: "https://example.org", imageUrl: "https://i.spam.example" },
      ],
      ["editProfile", "bio", { bio: "Buy at spam.example" }],
    ];
    for (const [name, field, input] of places)
      expect([name, input, await refusal(person, name, input)]).toEqual([
        name,
        input,
        `400 denied_link ${field}`,
      ]);
    for (const title of ["notspam.example", "spam.example.org", "spam. example", "a.b.c", "…"])
      expect([title, await refusal(person, "createPost", { title })]).toEqual([title, "200"]);
    expect((await admin.listDeniedLinks()).hosts.map(({ host }) => host)).toEqual(["spam.example"]);
    await admin.allowLink({ host: "spam.EXAMPLE" });
    expect(await refusal(person, "createPost", { title: "See spam.example now" })).toBe("200");
  });

  if (runsOnceTests(engine))
    test("scans a text full of dots quickly", async () => {
      const person = await tandem.as.human();
      for (const body of [
        "a.".repeat(4999),
        "a".repeat(10_000),
        "http://".repeat(1400),
        "a.bc ".repeat(2000),
      ]) {
        const post = async () =>
          expect(await refusal(person, "createPost", { title: "Long", body: body.trim() })).toBe("200");
        expect(await cpuTime(post)).toBeLessThan(3000);
      }
    });

  once("refuses repeated texts for a while, whatever their case", async () => {
    const person = await tandem.as.human();
    const say = (title: string) =>
      refusal(person, "createPost", { title, body: "Cheap teapots, come and buy" });
    expect(await say("Buy")).toBe("200");
    expect(await say("BUY")).toBe("200");
    expect(await say(" buy ")).toBe("429 rate_limited undefined");
    expect(await say("Sell")).toBe("200");
    const { post } = await person.createPost({ title: "Talk" });
    const comment = { id: post.id, body: "Cheap teapots, come and buy" };
    for (const expected of ["200", "200", "429 rate_limited undefined"])
      expect(await refusal(person, "createComment", comment)).toBe(expected);
    const closesAt = new Date(now + DAY).toISOString();
    const poll = { options: ["Cheap teapots", "Come and buy"], closesAt };
    for (const expected of ["200", "200", "429 rate_limited undefined"])
      expect(await refusal(person, "createPost", { title: "Which?", poll })).toBe(expected);
    const other = { title: "Which?", poll: { ...poll, options: ["Cheap teapots", "Come and sell"] } };
    expect(await refusal(person, "createPost", other)).toBe("200");
    const brief = { id: post.id, body: "Thanks!" };
    for (let i = 0; i < 4; i++) expect(await refusal(person, "createComment", brief)).toBe("200");
    expect(await refusal(await tandem.as.human(), "createComment", comment)).toBe("200");
    now += HOUR;
    expect(await say("Buy")).toBe("200");
  });

  once("counts edits that result in the same text", async () => {
    const person = await tandem.as.human();
    const words = "Buy the very best of teapots here";
    const titles = ["A title of its own words", "Another title of its own words"];
    const { post } = await person.createPost({ title: String(titles[0]) });
    const { comment } = await person.createComment({ id: post.id, body: "A comment of its own words" });
    for (let i = 0; i < 2; i++) await person.createComment({ id: post.id, body: words });
    const editing = (body: string) => refusal(person, "editComment", { id: comment.id, body });
    expect(await editing(words)).toBe("429 rate_limited undefined");
    for (let i = 0; i < 4; i++) expect(await editing("Other words than before")).toBe("200");
    const naming = (title = "") => refusal(person, "editPost", { id: post.id, title });
    for (const title of [titles[1], titles[0], titles[1]]) expect(await naming(title)).toBe("200");
    expect(await naming(titles[0])).toBe("429 rate_limited undefined");
  });

  test("counts the events of each day", async () => {
    now += DAY;
    const [person, fan] = [await tandem.as.human(), await tandem.as.human()];
    const agent = await tandem.as.agent(person);
    const { post } = await person.createPost({ title: "By a person" });
    await person.createPost({ title: "With AI", provenance: "ai_assisted" });
    await agent.createPost({ title: "By AI" });
    await agent.createComment({ id: post.id, body: "By AI" });
    await fan.createComment({ id: post.id, body: "By a person" });
    for (const caller of [fan, agent, fan]) await caller.likePost({ id: post.id });
    await fan.createReport({ postId: post.id, reason: "Dull" });
    await admin.removePost({ id: post.id, reason: "Dull" });
    const { days } = await admin.readNumbers({ days: 2 });
    const numbers = {
      ...{ signUps: 2, agents: 1, postsByPeople: 1, postsWithAi: 1, postsByAi: 1 },
      ...{ commentsByAi: 1, commentsByPeople: 1, likes: 2, reports: 1, decisions: 1 },
    };
    expect(days.at(-1)).toEqual({ day: new Date(now).toISOString().slice(0, 10), ...numbers });
    expect(days).toHaveLength(2);
  });

  if (runsOnceTests(engine))
    test("shows settings without their secrets", async () => {
      const { settings } = await admin.readSettings();
      const shown = new Map(settings.map(({ name, value }) => [name, value]));
      expect(shown.get("SECURITY_CONTACT")).toBe("mailto:safe@example.org");
      expect(shown.get("LIMIT_THROTTLES_SAME_TEXT_PER_ACCOUNT_LIMIT")).toBe("2");
      const database = tandem.services.config.database?.url;
      const password = database && new URL(database).password;
      if (password) expect(JSON.stringify(settings)).not.toContain(`:${password}@`);
    });
});
