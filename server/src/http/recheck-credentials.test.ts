import { HOUR } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller, Person } from "@tandem/testing/callers";
import { startRequest } from "@tandem/testing/slow-body";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("a caller whose rights change while the body is sent, on %s", (engine) => {
  let tandem: Tandem;
  let admin: Person;
  let ahead = 0;
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: () => Date.now() + ahead });
    admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());

  /** Begins a request, and waits until its caller is known: one that comes later has been answered. */
  const begin = async (caller: Caller, to: [string, string], body: object) => {
    const begun = await startRequest(tandem.baseUrl, caller, to, body);
    await caller.call("me");
    return begun;
  };

  const posting: [string, string] = ["POST", "/api/posts"];
  const postsOf = async (author: string) => (await admin.listPosts({ author })).posts;

  test("gets a 403 if the account or its operator was suspended", async () => {
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const begun = await Promise.all([person, agent].map((one) => begin(one, posting, { title: "Too late" })));
    await admin.suspendAccount({ id: person.user.id, reason: "Advertising" });
    for (const one of begun) {
      const { status, body } = await one.finish();
      expect([status, body.code]).toEqual([403, "suspended"]);
      expect(body.error).toContain("Advertising");
    }
    expect(await postsOf(person.user.username)).toEqual([]);
    expect(await postsOf(agent.agent.username)).toEqual([]);
  });

  test("gets a 401 if the key has expired", async () => {
    const person = await tandem.as.human();
    const expiresAt = new Date(Date.now() + HOUR).toISOString();
    const { secret } = await person.mintKey({ scopes: ["posts:write"], expiresAt });
    const { agent, secret: agentSecret } = await person.createAgent({
      username: `brief_${engine}`,
      expiresAt,
    });
    const begun = await Promise.all(
      [secret, agentSecret].map((key) =>
        begin(tandem.as.bearer(String(key)), posting, { title: "Too late" }),
      ),
    );
    ahead = HOUR;
    try {
      for (const { status, body } of await Promise.all(begun.map((one) => one.finish())))
        expect([status, body.code]).toEqual([401, "key_expired"]);
    } finally {
      ahead = 0;
    }
    expect(await postsOf(person.user.username)).toEqual([]);
    expect(await postsOf(agent.username)).toEqual([]);
  });

  test("gets an error if the key needs approval since, and a draft on a retry", async () => {
    const person = await tandem.as.human();
    const agent = await tandem.as.agent(person);
    const { id } = (await agent.createDraft({ title: "May I?" })).draft;
    const begun = await Promise.all([
      begin(agent, posting, { title: "May I?" }),
      begin(agent, ["POST", `/api/drafts/${id}/publish`], {}),
    ]);
    await person.editKey({ id: agent.keyId, approval: true });
    for (const { status, body } of await Promise.all(begun.map((one) => one.finish())))
      expect([status, body.code]).toEqual([503, "overloaded"]);
    const retried = [
      await agent.call("createPost", { title: "May I?" }),
      await agent.call("publishDraft", { id }),
    ];
    expect(retried.map(({ status }) => status)).toEqual([202, 202]);
    expect(await postsOf(agent.agent.username)).toEqual([]);
  });

  test("gets a 403 for an admin operation if they are no longer an admin", async () => {
    const other = await tandem.as.human();
    await makeAdmin(tandem.storage, other);
    const { post } = await admin.createPost({ title: "Stays" });
    const path = `/api/admin/posts/${post.id}/remove`;
    const begun = await begin(other, ["POST", path], { reason: "Out of spite" });
    await admin.setRole({ id: other.user.id, role: "user" });
    const { status, body } = await begun.finish();
    expect([status, body.code]).toEqual([403, "forbidden"]);
    expect((await admin.readPost({ id: post.id })).post.title).toBe("Stays");
  });

  test("an agent created during its operator's suspension is suspended too", async () => {
    for (let i = 0; i < 6; i++) {
      const operator = await tandem.as.human();
      const [made] = await Promise.all([
        operator.call("createAgent", { username: `made${engine}${i}` }),
        admin.suspendAccount({ id: operator.user.id, reason: "Advertising" }),
      ]);
      if (made.status !== 200) continue;
      const { id } = made.body.agent as { id: number };
      expect((await admin.readAccount({ id })).user.suspendedUntil).not.toBe(null);
    }
  });
});
