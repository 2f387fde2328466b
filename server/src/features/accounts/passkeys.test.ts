import { Authenticator, siteOf } from "@tandem/testing/authenticator";
import { cookieOf, type Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { MailServer } from "@tandem/testing/mail-server";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const password = "correct horse";

describe.each(engines)("passkeys on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  const clock = stoppedClock();
  beforeAll(async () => {
    tandem = await startTandem(engine, { now: clock.now });
  });
  afterAll(() => tandem.stop());

  const site = () => siteOf(tandem.baseUrl);
  const anonymous = () => tandem.as.anonymous();
  const challengeFor = async (person: Person) => (await person.beginPasskey({ password })).options.challenge;
  const add = async (person: Person, device = new Authenticator()) => {
    const made = device.make(site(), await challengeFor(person));
    return { device, ...(await person.addPasskey({ ...made, name: "My phone" })) };
  };
  const challenge = async () => (await anonymous().beginPasskeySignIn()).options.challenge;
  const prove = async (device: Authenticator) => device.prove(site(), await challenge());
  const signIn = (proof: object) => anonymous().call("signInWithPasskey", proof);

  once("registers a passkey, signs in with it, and mails the owner", async () => {
    const ada = await tandem.as.human();
    const { options } = await ada.beginPasskey({ password });
    expect(options).toMatchObject({
      rp: { id: "127.0.0.1" },
      user: { name: ada.user.username },
      excludeCredentials: [],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const { device, passkey } = await add(ada);
    expect(passkey).toMatchObject({ name: "My phone", synced: false, lastUsedAt: null });
    clock.pass(1000);
    const response = await signIn(await prove(device));
    expect([response.status, response.body]).toEqual([200, { user: ada.user }]);
    expect((await tandem.as.with({ cookie: cookieOf(response) }).me()).user).toEqual(ada.user);
    const { passkeys } = await ada.listPasskeys();
    expect(passkeys).toEqual([{ ...passkey, lastUsedAt: new Date(clock.now()).toISOString() }]);
    const { options: next } = await ada.beginPasskey({ password });
    expect(next.excludeCredentials.map(({ id }) => id)).toEqual([device.id]);
  });

  test("accepts an assertion once, even concurrently", async () => {
    const { device } = await add(await tandem.as.human());
    const proof = await prove(device);
    const responses = await Promise.all([signIn(proof), signIn(proof), signIn(proof)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await signIn(proof)).body.code).toBe("unauthorized");
  });

  once("accepts only challenges that were issued recently for the same purpose", async () => {
    const ada = await tandem.as.human();
    const { device } = await add(ada);
    expect((await signIn(device.prove(site(), "bm90LW91cnM"))).status).toBe(401);
    expect((await signIn(device.prove(site(), await challengeFor(ada)))).status).toBe(401);
    const late = await prove(device);
    clock.pass(300_000);
    expect((await signIn(late)).status).toBe(401);
    const made = (sent: string) => ada.call("addPasskey", new Authenticator().make(site(), sent));
    const responses = [await made("bm90LW91cnM"), await made(await challenge())];
    const eves = await challengeFor(await tandem.as.human());
    responses.push(await made(eves));
    for (const { status, body } of responses)
      expect([status, body.code, body.field]).toEqual([400, "invalid_input", "clientDataJSON"]);
  });

  once("rejects passkeys of another site or device, and those without user verification", async () => {
    const ada = await tandem.as.human();
    const { device } = await add(ada);
    const evil = { id: "evil.example", origin: "https://evil.example" };
    const here = site();
    for (const place of [evil, { ...here, origin: evil.origin }, { ...here, id: evil.id }]) {
      expect((await signIn(device.prove(place, await challenge()))).status).toBe(401);
      const made = new Authenticator().make(place, await challengeFor(ada));
      expect((await ada.call("addPasskey", made)).status).toBe(400);
    }
    const present = 1;
    expect((await signIn(device.prove(here, await challenge(), present))).status).toBe(401);
    const made = new Authenticator().make(here, await challengeFor(ada), present);
    expect((await ada.call("addPasskey", made)).status).toBe(400);
    const stranger = new Authenticator(device.id).prove(here, await challenge());
    expect((await signIn(stranger)).status).toBe(401);
    expect((await signIn(new Authenticator().prove(here, await challenge()))).status).toBe(401);
  });

  once("detects a cloned passkey by its counter", async () => {
    const { device } = await add(await tandem.as.human());
    device.counter = 10;
    expect((await signIn(await prove(device))).status).toBe(200);
    device.counter = 5;
    expect((await signIn(await prove(device))).status).toBe(401);
  });

  once("replaces password and code at sign-in, and requires the password to be added", async () => {
    const ada = await tandem.as.human();
    expect((await ada.call("beginPasskey", {})).body).toMatchObject({
      code: "invalid_input",
      field: "password",
    });
    expect((await ada.call("beginPasskey", { password: "a guess" })).status).toBe(403);
    const { device } = await add(ada);
    const [bob, id] = [await tandem.as.human(), device.id];
    const again = new Authenticator(id).make(site(), await challengeFor(bob));
    expect((await bob.call("addPasskey", again)).body).toMatchObject({ code: "forbidden", field: "id" });
  });

  once("mails the owner when a passkey is added or removed", async () => {
    await using mailServer = await MailServer.start();
    await using mailing = await startTandem(engine, { now: clock.now, env: mailServer.env });
    const ada = await mailing.as.human();
    const { challenge } = (await ada.beginPasskey({ password })).options;
    const made = new Authenticator().make(siteOf(mailing.baseUrl), challenge);
    const { passkey } = await ada.addPasskey(made);
    await ada.removePasskey({ id: passkey.id, password });
    await mailing.services.afterResponse.idle();
    expect(
      mailServer.received.filter(({ subject }) => /sign-in settings were changed/.test(subject)),
    ).toHaveLength(2);
  });

  once("lets only the owner rename and remove one of several passkeys", async () => {
    const [ada, eve] = [await tandem.as.human(), await tandem.as.human()];
    const [first, second] = [await add(ada), await add(ada)];
    const { id } = first.passkey;
    expect((await ada.renamePasskey({ id, name: "Old phone" })).passkey.name).toBe("Old phone");
    expect((await eve.call("renamePasskey", { id, name: "Mine" })).status).toBe(404);
    expect((await eve.call("removePasskey", { id, password })).status).toBe(404);
    expect((await eve.listPasskeys()).passkeys).toEqual([]);
    const unproved = async (input: object) => {
      const { status, body } = await ada.call("removePasskey", { id, ...input });
      return [status, body.field];
    };
    expect(await unproved({})).toEqual([400, "password"]);
    expect(await unproved({ password: "a guess" })).toEqual([403, "password"]);
    expect(await ada.removePasskey({ id, password })).toEqual({ removed: true });
    expect((await signIn(await prove(first.device))).status).toBe(401);
    expect((await signIn(await prove(second.device))).status).toBe(200);
    await ada.deleteAccount({ password });
    expect((await signIn(await prove(second.device))).status).toBe(401);
  });
});
