import type { AddressInfo } from "node:net";
import { solveChallenge } from "@tandem/client/proof-of-work";
import { DAY, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { RegistrationMode } from "@tandem/contract/registration-modes";
import { makeAdmin, plantSignUp } from "@tandem/testing/admins";
import { Callers, cookieOf, type Person, uniqueName } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { Issuer } from "@tandem/testing/issuer";
import { MailServer } from "@tandem/testing/mail-server";
import { loopback } from "@tandem/testing/origin";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { solveChallenge as solveWithAltcha } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApp, listen } from "../../app.ts";
import { sweepOut } from "../../housekeeping.ts";
import { insertRows } from "../../storage/bulk.ts";

const password = "correct horse";

describe.each(engines)("registration on %s", (engine) => {
  const once = testOnce(engine);
  const clock = stoppedClock(Date.now());
  let tandem: Tandem;
  let post: MailServer;
  let google: Issuer;
  let admin: Person;
  let member: Person;

  beforeAll(async () => {
    [post, google] = await Promise.all([MailServer.start(), Issuer.start()]);
    const env = { ...loopback, GOOGLE_CLIENT_ID: google.clientId, GOOGLE_ISSUER: google.url };
    tandem = await startTandem(engine, { now: clock.now, env: { ...post.env, ...env, TRUST_PROXY: "1" } });
    [admin, member] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => Promise.all([tandem.stop(), google.stop(), post[Symbol.asyncDispose]()]));
  beforeEach(() => configure("open"));

  const configure = (registration: RegistrationMode, signUpWork = 0) =>
    void Object.assign(tandem.services.config, { registration, signUpWork });
  const signUp = async (input: object = {}, caller = tandem.as.anonymous()) => {
    const username = uniqueName("newcomer");
    const email = `${username}@example.org`;
    const response = await caller.call("signUp", { username, email, password, ...input });
    return { ...response, username, email };
  };
  const withGoogle = async (sub: string, more: object = {}) => {
    // A token works once.
    const claims = { sub, email: `${sub}@example.org`, email_verified: true, jti: uniqueName("token") };
    return tandem.as.anonymous().call("signInWithGoogle", { idToken: await google.token(claims), ...more });
  };
  const logIn = (username: string, given = password) =>
    tandem.as.anonymous().call("logIn", { username, password: given });
  const verdict = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
    [status, body.code, body.field].filter((part) => part !== undefined).join(" ");

  once("is announced, and closed to everyone if the setting says so", async () => {
    expect(await tandem.as.anonymous().readRegistration()).toEqual({
      mode: "open",
      challenge: null,
      sendsEmail: true,
    });
    const { invitation } = await admin.createInvitation({});
    configure("closed");
    expect((await tandem.as.anonymous().readRegistration()).mode).toBe("closed");
    expect(verdict(await admin.call("createInvitation"))).toBe("403 registration_closed");
    for (const attempt of [signUp(), signUp({ invitation: invitation.code }), withGoogle("closed")])
      expect(verdict(await attempt)).toBe("403 registration_closed");
    expect((await logIn(member.user.username)).status).toBe(200);
    expect((await member.listInvitations()).invitations).toEqual([]);
  });

  describe("by invitation", () => {
    beforeEach(() => configure("invitation"));

    test("needs one that works, and shows admins the inviter", async () => {
      const { invitation } = await admin.createInvitation({ uses: 2 });
      const { code } = invitation;
      expect(invitation.url).toBe(`${tandem.services.baseUrl}/signup#invitation=${code}`);
      expect(verdict(await signUp())).toBe("403 invitation_required invitation");
      expect(verdict(await withGoogle("uninvited"))).toBe("403 invitation_required invitation");
      expect(verdict(await signUp({ invitation: "wrong" }))).toBe("400 invalid_invitation invitation");
      // What is refused uses up nothing.
      const taken = await signUp({ invitation: code, username: member.user.username });
      expect(verdict(taken)).toBe("400 username_taken username");
      const { username } = await signUp({ invitation: code });
      expect((await withGoogle("invited", { invitation: code })).status).toBe(200);
      // Someone who has an account needs none.
      expect((await withGoogle("invited")).status).toBe(200);
      expect(verdict(await signUp({ invitation: code }))).toBe("400 invalid_invitation invitation");
      const { users } = await admin.listAccounts({ q: username });
      expect(users[0]?.invitedBy).toBe(admin.user.username);
      expect((await admin.listInvitations()).invitations).toContainEqual({ ...invitation, used: 2 });
    });

    test("never lets in more people than the invitation says", async () => {
      const { invitation } = await admin.createInvitation({ uses: 3 });
      const attempts = await Promise.all(
        Array.from({ length: 8 }, () => signUp({ invitation: invitation.code })),
      );
      const refused = "400 invalid_invitation invitation";
      expect(attempts.map(verdict).sort()).toEqual([...Array(3).fill("200"), ...Array(5).fill(refused)]);
    });

    test("refuses what was revoked, has expired, or comes from a suspended account", async () => {
      const refused = "400 invalid_invitation invitation";
      const [revoked, expiring] = [
        await admin.createInvitation({}),
        await admin.createInvitation({ days: 1 }),
      ];
      expect((await member.call("revokeInvitation", { id: revoked.invitation.id })).status).toBe(404);
      await admin.revokeInvitation({ id: revoked.invitation.id });
      expect(verdict(await signUp({ invitation: revoked.invitation.code }))).toBe(refused);
      clock.pass(DAY);
      expect(verdict(await signUp({ invitation: expiring.invitation.code }))).toBe(refused);

      clock.pass(7 * DAY);
      const { invitation } = await member.createInvitation({});
      await admin.suspendAccount({ id: member.user.id, reason: "Advertising" });
      expect(verdict(await signUp({ invitation: invitation.code }))).toBe(refused);
      await admin.liftSuspension({ id: member.user.id });
      expect(verdict(await signUp({ invitation: invitation.code }))).toBe("200");
      await sweepOut(tandem.services, new AbortController().signal, 100);
      const left = await tandem.storage.read.selectFrom("invitations").select("user_id").execute();
      expect(left).toEqual([{ user_id: member.user.id }]);
    });

    test("lets admins see and revoke everyone's, and ends them with the creator's rights", async () => {
      const refused = "400 invalid_invitation invitation";
      configure("open");
      const person = await tandem.as.human();
      clock.pass(tandem.limits.holding.standingDays * DAY);
      const set = (change: { last_strike_at?: number | null; role?: "admin" | "user" }) =>
        tandem.storage.write((tx) =>
          tx.updateTable("users").set(change).where("id", "=", person.user.id).execute(),
        );
      const theirs = (await person.createInvitation({})).invitation;
      await set({ last_strike_at: clock.now() });
      expect(verdict(await signUp({ invitation: theirs.code }))).toBe(refused);
      await set({ last_strike_at: null, role: "admin" });
      const asAdmin = (await person.createInvitation({ uses: 2 })).invitation;
      expect(verdict(await signUp({ invitation: asAdmin.code }))).toBe("200");
      await set({ role: "user" });
      expect(verdict(await signUp({ invitation: asAdmin.code }))).toBe(refused);

      const { code, url, ...shown } = asAdmin;
      const all = (await admin.listAllInvitations()).invitations;
      expect(all.slice(0, 2)).toMatchObject([
        { ...shown, used: 1, createdBy: person.user.username },
        { id: theirs.id },
      ]);
      expect(JSON.stringify(all)).not.toMatch(`${code}|${url}`);
      await admin.revokeInvitation({ id: theirs.id });
      expect(verdict(await signUp({ invitation: theirs.code }))).toBe(refused);
      expect((await admin.call("revokeInvitation", { id: theirs.id })).status).toBe(404);
      const actsOn = async (id: number) =>
        (await admin.listAudit({ target: `invitation:${id}` })).entries.map(({ act, actor }) => [act, actor]);
      expect(await actsOn(theirs.id)).toEqual([["revokeInvitation", admin.user.username]]);
      expect(await actsOn(asAdmin.id)).toEqual([["createInvitation", person.user.username]]);
    });

    test("lets people invite a few once their account is old enough", async () => {
      configure("open");
      const person = await tandem.as.human();
      expect(verdict(await person.call("createInvitation"))).toBe("403 forbidden");
      clock.pass(tandem.limits.holding.standingDays * DAY);
      const { person: most } = limits.invitationUses;
      expect(verdict(await person.call("createInvitation", { uses: most + 1 }))).toBe(
        "400 invalid_input uses",
      );
      const { limit } = tandem.limits.throttles.invitationsPerAccount;
      const responses = [];
      for (let i = 0; i <= limit; i++)
        responses.push((await person.call("createInvitation", { uses: most })).status);
      expect(responses).toEqual([...Array(limit).fill(200), 429]);
    });
  });

  describe("by approval", () => {
    beforeEach(() => configure("approval"));
    const requestOf = async (username: string) => {
      for await (const request of admin.pages.listSignUps())
        if (request.username === username) return request;
      throw new Error(`${username} isn't waiting`);
    };

    test("keeps a newcomer out until an admin approves them", async () => {
      const { status, body, headers, username, email } = await signUp({ reason: " I write about engines. " });
      expect([status, body, headers.getSetCookie()]).toEqual([200, { user: null }, []]);
      expect(verdict(await logIn(username))).toBe("403 approval_pending");
      expect(verdict(await logIn(email))).toBe("403 approval_pending");
      expect(verdict(await logIn(username, "wrong"))).toBe("401 unauthorized");
      expect((await member.call("readCreator", { platform: "native", author: username })).status).toBe(404);
      expect((await member.call("sendMessage", { username, body: "Hello" })).status).toBe(404);
      expect((await admin.listAccounts({ q: username })).users).toEqual([]);
      expect(verdict(await signUp({ username }))).toBe("400 username_taken username");
      expect(verdict(await signUp({ email }))).toBe("400 email_taken email");

      const request = await requestOf(username);
      expect(request).toMatchObject({ email, reason: "I write about engines.", provider: null });
      // Of two admins, one decides.
      const decisions = await Promise.all([
        admin.call("approveSignUp", { id: request.id }),
        admin.call("refuseSignUp", { id: request.id }),
        admin.call("approveSignUp", { id: request.id }),
      ]);
      expect(decisions.map((one) => one.status).sort()).toEqual([200, 404, 404]);
    });

    once("creates the account on approval, and records who decided and the username", async () => {
      const { username, email } = await signUp();
      const { id } = await requestOf(username);
      await admin.approveSignUp({ id });
      const { token, text } = await post.mailTo(email, /ready/);
      expect(text).toContain(`Hello ${username}`);
      const session = tandem.as.with({ cookie: cookieOf(await logIn(username)) });
      await session.confirmEmail({ token });
      expect((await session.readSecurity()).security.emailVerified).toBe(true);
      expect((await member.readCreator({ platform: "native", author: username })).creator.author).toBe(
        username,
      );
      const { entries } = await admin.listAudit({ target: `signup:${id}` });
      expect(entries).toMatchObject([{ actor: admin.user.username, act: "approveSignUp" }]);
      expect(JSON.parse(String(entries[0]?.detail))).toMatchObject({ username });
    });

    test("frees what a refused newcomer asked for, and tells them why", async () => {
      const { username, email } = await signUp();
      await admin.refuseSignUp({ id: (await requestOf(username)).id, reason: "No bots, please" });
      expect((await post.mailTo(email, /declined/)).text).toMatch(
        /No bots, please[\s\S]*keeps the username and the reason/,
      );
      expect(verdict(await logIn(username))).toBe("401 unauthorized");
      expect(verdict(await signUp({ username, email }))).toBe("200");
      // No one decides within the time.
      const created_at = clock.now() - limits.signUpRequestDays * DAY;
      await tandem.storage.write((tx) => tx.updateTable("sign_up_requests").set({ created_at }).execute());
      await sweepOut(tandem.services, new AbortController().signal, 100);
      expect((await admin.listSignUps()).requests).toEqual([]);
    });

    once("also holds for sign-ins through a provider, but not for invited people", async () => {
      for (const _ of ["the first time", "again"]) {
        const { status, body, headers } = await withGoogle("patient");
        expect([status, body]).toEqual([200, { user: null }]);
        expect(headers.getSetCookie().join()).not.toContain("tandem_session");
      }
      const { id, provider } = await requestOf("patient");
      expect(provider).toBe("google");
      await admin.approveSignUp({ id });
      // The provider has confirmed the address.
      const mail = await post.mailTo("patient@example.org", /ready/);
      expect([mail.token, mail.text]).toEqual(["", expect.not.stringContaining("confirm")]);
      expect((await withGoogle("patient")).body.user).toMatchObject({ username: "patient" });
      const { invitation } = await admin.createInvitation({});
      expect((await signUp({ invitation: invitation.code })).body.user).not.toBeNull();
    });

    test("gives an address to who proves that it is theirs, not to who entered it first", async () => {
      const inTheWay = async (email: string) => verdict(await signUp({ email }));
      // A provider has verified it.
      expect(await inTheWay("proven@example.org")).toBe("200");
      expect((await withGoogle("proven")).body).toEqual({ user: null });
      expect(await requestOf("proven")).toMatchObject({ email: "proven@example.org", provider: "google" });
      expect(await inTheWay("proven@example.org")).toBe("400 email_taken email");
      expect(await inTheWay("invited2@example.org")).toBe("200");
      const { invitation } = await admin.createInvitation({});
      expect((await withGoogle("invited2", { invitation: invitation.code })).body.user).not.toBeNull();
      // A member confirms it.
      const email = `${uniqueName("moving")}@example.org`;
      expect(await inTheWay(email)).toBe("200");
      configure("open");
      const person = await tandem.as.human();
      await person.changeEmail({ email, password: person.password });
      const { token } = await post.mailTo(email, /confirm/i);
      await person.confirmEmail({ token });
      expect((await person.me()).user.email).toBe(email);
      expect((await admin.listSignUps()).requests.map((one) => one.email)).not.toContain(email);
    });

    test("lets in who waits already, with an invitation or once anyone can sign up", async () => {
      const waiting = await signUp();
      const { username, email } = waiting;
      await withGoogle("eager");
      await withGoogle("eager2");
      const { invitation } = await admin.createInvitation({ uses: 2 });
      const { code } = invitation;
      expect(verdict(await signUp({ username, email, invitation: code, password: "wrong horse" }))).toMatch(
        /_taken/,
      );
      expect((await signUp({ username, email, invitation: code })).body.user).toMatchObject({ username });
      expect((await withGoogle("eager", { invitation: code })).body.user).toMatchObject({
        username: "eager",
      });
      const other = await signUp();
      configure("closed");
      expect((await withGoogle("eager2")).body).toEqual({ user: null });
      configure("open");
      expect((await withGoogle("eager2")).body.user).toMatchObject({ username: "eager2" });
      expect((await signUp({ username: other.username, email: other.email })).body.user).not.toBeNull();
      const names = (await admin.listSignUps()).requests.map((one) => one.username);
      for (const name of [username, other.username, "eager", "eager2"]) expect(names).not.toContain(name);
    });

    test("reserves no name or address once the setting has changed", async () => {
      const waiting = await signUp();
      const { username, email } = waiting;
      const { code } = (await admin.createInvitation({ uses: 2 })).invitation;
      const others = { password: "another horse", invitation: code };
      expect(verdict(await signUp({ username, ...others }))).toBe("400 username_taken username");
      configure("invitation");
      expect((await signUp({ email, ...others })).body.user).toMatchObject({ email });
      configure("open");
      expect((await signUp({ username, password: "another horse" })).body.user).toMatchObject({ username });
      // An admin who decides about it later learns that another one has the name.
      const { requests } = await admin.listSignUps();
      const id = Number(requests.find((one) => one.username === username)?.id);
      expect(verdict(await admin.call("approveSignUp", { id }))).toMatch(/^400 (email|username)_taken/);
      expect((await admin.refuseSignUp({ id })).username).toBe(username);
    });

    test("lets one person wait once, although they sign in twice at the same time", async () => {
      const sub = uniqueName("twin");
      const answers = await Promise.all([withGoogle(sub), withGoogle(sub), withGoogle(sub)]);
      expect(answers.map(({ body }) => body)).toEqual(Array(3).fill({ user: null }));
    });

    test("bounds how many wait, per address and in all", async () => {
      const from = (address: string) => tandem.as.with({ "x-forwarded-for": address });
      const { limit } = tandem.limits.throttles.signupRequestsPerAddress;
      const statuses = [];
      for (let i = 0; i <= limit; i++) statuses.push((await signUp({}, from("203.0.113.1"))).status);
      expect(statuses).toEqual([...Array(limit).fill(200), 429]);
      await tandem.storage.write((tx) =>
        insertRows(
          tx,
          "sign_up_requests",
          Array.from({ length: limits.signUpRequests }, (_, i) => ({
            ...{
              username: `w${i}`,
              username_key: `w${i}`,
              email: `w${i}@w.example`,
              email_key: `w${i}@w.example`,
            },
            ...{ email_verified: 0, password_hash: null, display_name: null, provider: null, subject: null },
            ...{ reason: null, created_at: clock.now() },
          })),
        ),
      );
      expect(verdict(await signUp({}, from("203.0.113.2")))).toBe("429 rate_limited");
      await tandem.storage.write((tx) => tx.deleteFrom("sign_up_requests").execute());
    });
  });

  describe("with proof of work", () => {
    beforeEach(() => configure("open", 1));
    const challengeOf = async () => {
      const { challenge } = await tandem.as.anonymous().readRegistration();
      if (!challenge) throw new Error("there is no challenge");
      return challenge;
    };
    const refused = "400 proof_required proof";

    if (runsOnceTests(engine))
      test("requires the solution of a challenge of this service", async () => {
        const challenge = await challengeOf();
        const proof = await solveChallenge(challenge);
        const solved = JSON.parse(atob(proof));
        const altered = (change: object) => btoa(JSON.stringify({ ...solved, ...change }));
        const easier = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: "0" } };
        const bad = [
          undefined,
          null,
          "?",
          btoa("null"),
          btoa('{"challenge":1}'),
          altered({ solution: null }),
          altered({ solution: { ...solved.solution, counter: solved.solution.counter + 1 } }),
          altered({ challenge: { ...challenge, signature: "00" } }),
          altered({ challenge: { parameters: null, signature: "" } }),
          await solveChallenge(easier),
        ];
        for (const proof of bad) expect([proof, verdict(await signUp({ proof }))]).toEqual([proof, refused]);
        // What is refused for another reason doesn't use it up.
        const taken = await signUp({ proof, username: member.user.username });
        expect(verdict(taken)).toBe("400 username_taken username");
        expect(verdict(await signUp({ proof }))).toBe("200");
      });

    if (runsOnceTests(engine))
      test("accepts what ALTCHA's own solver finds", async () => {
        const challenge = await challengeOf();
        const solution = await solveWithAltcha({ challenge, deriveKey });
        expect(verdict(await signUp({ proof: btoa(JSON.stringify({ challenge, solution })) }))).toBe("200");
      });

    test("takes a proof once, in whichever process, until it expires", async () => {
      const { config, baseUrl } = tandem.services;
      const other = createApp({ config, storage: tandem.storage, now: clock.now });
      await listen(other);
      const { port } = other.server.server.address() as AddressInfo;
      const elsewhere = new Callers(baseUrl.replace(/\d+$/, String(port))).anonymous();
      const proof = await solveChallenge(await challengeOf());
      const attempts = await Promise.all(
        [tandem.as.anonymous(), elsewhere, elsewhere].map((caller) => signUp({ proof }, caller)),
      );
      expect(attempts.map(verdict).sort()).toEqual(["200", refused, refused]);
      await other.server.close();
      const late = await solveChallenge(await challengeOf());
      clock.pass(limits.challengeMinutes * MINUTE);
      expect(verdict(await signUp({ proof: late }))).toBe(refused);
    });
  });

  test("keeps a name for the person who waits, although others want it", async () => {
    const id = await plantSignUp(tandem.storage);
    const { requests } = await admin.listSignUps();
    const { username = "" } = requests.find((one) => one.id === id) ?? {};
    const person = await tandem.as.human();
    configure("approval");
    expect(verdict(await person.call("createAgent", { username }))).toBe("400 username_taken username");
    configure("closed");
    expect((await person.createAgent({ username })).agent.username).toBe(username);
  });
});
