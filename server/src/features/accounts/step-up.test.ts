import { DAY, HOUR, MINUTE } from "@tandem/contract/durations";
import { codeAt } from "@tandem/testing/account-inputs";
import { makeAdmin } from "@tandem/testing/admins";
import { Authenticator, siteOf } from "@tandem/testing/authenticator";
import type { Person } from "@tandem/testing/callers";
import { uniqueName } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("proving again who you are, on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  const clock = stoppedClock();
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
  });
  afterAll(() => tandem.stop());

  const codeOf = async (call: Promise<{ status: number; body: Record<string, unknown> }>) => {
    const { status, body } = await call;
    return status === 200 ? "ok" : body.code;
  };
  const mint = (person: Person) => codeOf(person.call("mintKey", {}));
  const stale = "reauthentication_required";

  once("is needed two hours after the last sign-in for keys and agents", async () => {
    const ada = await tandem.as.human();
    const create = () => codeOf(ada.call("createAgent", { username: uniqueName("robot") }));
    clock.pass(2 * HOUR - 1);
    expect([await mint(ada), await create()]).toEqual(["ok", "ok"]);
    clock.pass(1);
    expect([await mint(ada), await create()]).toEqual([stale, stale]);
    expect(await codeOf(ada.call("reauthenticate", { password: "a guess" }))).toBe("forbidden");
    expect(await codeOf(ada.call("reauthenticate", {}))).toBe("invalid_input");
    expect(await mint(ada)).toBe(stale);
    await ada.reauthenticate({ password: ada.password });
    expect([await mint(ada), await create()]).toEqual(["ok", "ok"]);
    // It counts for the session in which it was given.
    const elsewhere = await tandem.as.anotherSession(ada);
    clock.pass(2 * HOUR);
    await ada.reauthenticate({ password: ada.password });
    expect(await codeOf(elsewhere.call("mintKey", {}))).toBe(stale);
    expect((await ada.call("listKeys")).status).toBe(200);
  });

  once("isn't needed to repeat a call that succeeded", async () => {
    const ada = await tandem.as.human();
    const once = () => ada.call("mintKey", { name: "Loom" }, { idempotencyKey: "once" });
    const first = await once();
    clock.pass(2 * HOUR);
    const again = await once();
    expect([again.status, again.body.key]).toEqual([200, first.body.key]);
    expect((await ada.listKeys()).keys).toHaveLength(1);
  });

  once("takes the account's passkey, once", async () => {
    const [ada, eve] = [await tandem.as.human(), await tandem.as.human()];
    const device = new Authenticator();
    const { options } = await ada.beginPasskey({ password: ada.password });
    await ada.addPasskey(device.make(siteOf(tandem.baseUrl), options.challenge));
    clock.pass(3 * HOUR);
    const prove = async () => {
      const { options } = await tandem.as.anonymous().beginPasskeySignIn();
      return device.prove(siteOf(tandem.baseUrl), options.challenge);
    };
    expect(await codeOf(eve.call("reauthenticate", await prove()))).toBe("forbidden");
    const proof = await prove();
    expect(await codeOf(ada.call("reauthenticate", proof))).toBe("ok");
    expect(await codeOf(ada.call("reauthenticate", proof))).toBe("forbidden");
    expect([await mint(ada), await mint(eve)]).toEqual(["ok", stale]);
  });

  test("is needed after ten minutes for admin roles, and for accounts without a password", async () => {
    const [admin, person, ada] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    await makeAdmin(tandem.storage, admin);
    await tandem.storage.write((tx) =>
      tx.updateTable("users").set({ password_hash: null }).where("id", "=", ada.user.id).execute(),
    );
    const promote = () => codeOf(admin.call("setRole", { id: person.user.id, role: "admin" }));
    const enroll = () => codeOf(ada.call("beginTwoFactor", {}));
    const move = () => codeOf(ada.call("changeEmail", { email: `${uniqueName("ada")}@example.org` }));
    clock.pass(10 * MINUTE - 1);
    expect([await promote(), await enroll(), await move()]).toEqual(["ok", "ok", "ok"]);
    clock.pass(1);
    expect([await promote(), await enroll(), await move()]).toEqual([stale, stale, stale]);
    await admin.reauthenticate({ password: admin.password });
    expect(await promote()).toBe("ok");
  });

  once("a session ends 90 days after it began, however often it is used", async () => {
    const ada = await tandem.as.human();
    for (let day = 1; day < 90; day++) {
      clock.pass(DAY);
      expect([day, (await ada.call("me")).status]).toEqual([day, 200]);
    }
    clock.pass(DAY);
    expect((await ada.call("me")).status).toBe(401);
  });

  once("turning two-factor authentication on ends other sessions", async () => {
    const ada = await tandem.as.human();
    const elsewhere = await tandem.as.anotherSession(ada);
    const { secret } = await ada.beginTwoFactor({ password: ada.password });
    await ada.confirmTwoFactor({ code: codeAt(String(secret), clock.now()) });
    expect([(await ada.call("me")).status, (await elsewhere.call("me")).status]).toEqual([200, 401]);
  });

  once("a key can have an end", async () => {
    const ada = await tandem.as.human();
    const expiresAt = new Date(clock.now() + HOUR).toISOString();
    const past = await ada.call("mintKey", { expiresAt: new Date(clock.now()).toISOString() });
    expect([past.status, past.body.field]).toEqual([400, "expiresAt"]);
    const { key, secret } = await ada.mintKey({ expiresAt });
    expect((await ada.listKeys()).keys).toMatchObject([{ id: key.id, expiresAt }]);
    expect((await ada.mintKey({})).key.expiresAt).toBe(null);
    const caller = tandem.as.bearer(String(secret));
    clock.pass(HOUR - 1);
    expect((await caller.call("me")).status).toBe(200);
    clock.pass(1);
    const { status, body } = await caller.call("me");
    expect([status, body.code]).toEqual([401, "key_expired"]);
  });

  test("admins need a second factor if the server says so", async () => {
    await using strict = await startTandem(engine, { now: clock.now, env: { ADMIN_TWO_FACTOR: "1" } });
    const admin = await strict.as.human();
    await makeAdmin(strict.storage, admin);
    expect((await admin.call("listAccounts")).body.code).toBe("two_factor_setup_required");
    await (await strict.as.human()).createCommunity({ name: "weaving" });
    const close = () => admin.call("closeCommunity", { name: "weaving" });
    expect((await close()).body.code).toBe("two_factor_setup_required");
    const { secret } = await admin.beginTwoFactor({ password: admin.password });
    expect((await admin.call("listAccounts")).status).toBe(403);
    await admin.confirmTwoFactor({ code: codeAt(String(secret), clock.now()) });
    expect((await admin.call("listAccounts")).status).toBe(200);
    expect((await close()).status).toBe(200);
  });
});

test("SESSION_DAYS sets when a session ends", async () => {
  const clock = stoppedClock();
  await using tandem = await startTandem("sqlite", { now: clock.now, env: { SESSION_DAYS: "2" } });
  const ada = await tandem.as.human();
  clock.pass(2 * DAY - 1);
  expect((await ada.call("me")).status).toBe(200);
  clock.pass(1);
  expect((await ada.call("me")).status).toBe(401);
});
