import { DAY } from "@tandem/contract/durations";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller, Person } from "@tandem/testing/callers";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const reason = "Advertising";

describe.each(engines)("what reports alone can hide on %s", (engine) => {
  let tandem: Tandem;
  let admin: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine, { env: { LIMIT_HOLDING_REPORTS: "3" } });
    [admin] = (await people(1, 0)) as [Person];
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());

  /** People with accounts of this age. */
  const people = (count: number, days: number): Promise<Person[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const person = await tandem.as.human();
        const created_at = Date.now() - days * DAY;
        await tandem.storage.write((tx) =>
          tx.updateTable("users").set({ created_at }).where("id", "=", person.user.id).execute(),
        );
        return person;
      }),
    );
  const someone = async (days: number) => (await people(1, days))[0] as Person;
  const publish = async (author: Caller) => (await author.createPost({ title: "Reported" })).post.id;
  const report = async (reporters: Person[], postId: number) => {
    for (const reporter of reporters) await reporter.call("createReport", { postId, reason });
  };
  const isHidden = async (id: number) =>
    (await tandem.as.anonymous().call("readPost", { id })).status === 404;
  const resolve = async (action: "dismiss" | "remove") => {
    const { cases } = await admin.listCases({ limit: 50 });
    await admin.resolveReports({ ids: cases.map(({ id }) => id), action, reason });
  };

  test("is nothing for many accounts that are a few days old", async () => {
    const id = await publish(await someone(0));
    await report(await people(8, 2), id);
    expect(await isHidden(id)).toBe(false);
    await report(await people(3, 30), id);
    expect(await isHidden(id)).toBe(true);
  });

  test("isn't what an account in good standing published, or its agent", async () => {
    const [reporters, author] = [await people(4, 30), await someone(8)];
    const agent = await tandem.as.agent(author);
    const isHiddenByReports = async (caller: Caller) => {
      const id = await publish(caller);
      await report(reporters, id);
      return isHidden(id);
    };
    expect(await isHiddenByReports(author)).toBe(false);
    expect((await admin.listCases({ limit: 1 })).cases).toMatchObject([{ reportCount: 4, held: false }]);
    expect(await isHiddenByReports(agent)).toBe(false);
    await admin.removePost({ id: await publish(agent), reason });
    expect(await isHiddenByReports(agent)).toBe(true);
    expect(await isHiddenByReports(author)).toBe(false);
    await admin.removePost({ id: await publish(author), reason });
    expect(await isHiddenByReports(author)).toBe(true);
  });

  test("depends on what moderators made of the reporters' earlier reports", async () => {
    const [often, rarely, author] = [await people(2, 30), await people(4, 30), await someone(0)];
    for (let i = 0; i < 4; i++) await report(rarely, await publish(author));
    await resolve("dismiss");
    const first = await publish(author);
    await report(rarely, first);
    expect(await isHidden(first)).toBe(false);
    for (let i = 0; i < 4; i++) await report(often, await publish(author));
    await resolve("remove");
    const second = await publish(await someone(0));
    await report(often, second);
    expect(await isHidden(second)).toBe(true);
  });
});
