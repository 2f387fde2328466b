import { stoppedClock } from "@tandem/testing/clock";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const password = "correct horse";

describe("signing up and logging in", () => {
  let tandem: Tandem;
  const clock = stoppedClock();

  beforeAll(async () => {
    tandem = await startTandem("sqlite", {
      now: clock.now,
      env: { LIMIT_THROTTLES_LOGIN_PER_ACCOUNT_AND_ADDRESS_LIMIT: "3" },
    });
  });
  afterAll(() => tandem.stop());

  const signUp = (username: string, email = `${username.toLowerCase()}@example.org`) =>
    tandem.as.anonymous().signUp({ username, email, password });
  const logIn = (by: { email?: string | null; username?: string | null }, word = password) =>
    tandem.as.anonymous().logIn({ ...by, password: word });

  test("creates an account with what its owner typed and nothing else", async () => {
    const { user } = await signUp("Ada_L", "Ada@Example.org");
    expect(user).toEqual({
      id: expect.any(Number),
      username: "Ada_L",
      email: "Ada@Example.org",
      displayName: null,
      avatarUrl: null,
      bannerUrl: null,
      bio: null,
      links: [],
      aiGeneratedFields: [],
      role: "user",
    });
  });

  test("refuses passwords that are guessed first: common ones, the username and the address", async () => {
    const username = "ada_lovelace";
    const email = "ada.lovelace@example.org";
    for (const word of [
      ...["password1", "QwertyUiop", "12345678", "iloveyou1"],
      ...["ADA_lovelace", "ada_lovelace!", "1ada_lovelace99", email, "Ada.Lovelace", "ada.lovelace7"],
    ]) {
      const { status, body } = await tandem.as
        .anonymous()
        .call("signUp", { username, email, password: word });
      expect([word, status, body.code, body.field]).toEqual([word, 400, "weak_password", "password"]);
    }
    const ada = await tandem.as.human("ada_byron");
    for (const word of ["password1", "ada_byron1"]) {
      const { status, body } = await ada.call("changePassword", {
        currentPassword: password,
        password: word,
      });
      expect([status, body.code, body.field]).toEqual([400, "weak_password", "password"]);
    }
  });

  test("a sign-up names everything that is wrong with it", async () => {
    await signUp("edith", "edith@example.org");
    const input = { username: "EDITH", email: "edith@example.org", password: "password1" };
    await expect(tandem.as.anonymous().signUp(input)).rejects.toMatchObject({
      code: "username_taken",
      field: "username",
      errors: [
        { field: "username", code: "username_taken" },
        { field: "email", code: "email_taken" },
        { field: "password", code: "weak_password" },
      ],
    });
  });

  test("compares usernames and addresses without regard to case", async () => {
    await signUp("Grace", "grace@example.org");
    await expect(signUp("gRACE", "other@example.org")).rejects.toMatchObject({
      status: 400,
      code: "username_taken",
      field: "username",
    });
    await expect(signUp("other", "GRACE@EXAMPLE.ORG")).rejects.toMatchObject({
      status: 400,
      code: "email_taken",
      field: "email",
    });
    await signUp("other", "other@example.org");
  });

  test.each(["admin", "API", "me", "System", "a", "a b", "ünal", "x".repeat(41)])(
    "rejects the username %j",
    async (username) => {
      await expect(signUp(username, "nobody@example.org")).rejects.toMatchObject({
        status: 400,
        code: "invalid_name",
        field: "username",
      });
    },
  );

  test.each(["short77", "x".repeat(201)])("rejects %j as a password", async (word) => {
    const input = { username: "edsger", email: "edsger@example.org", password: word };
    await expect(tandem.as.anonymous().signUp(input)).rejects.toMatchObject({
      code: "invalid_input",
      field: "password",
    });
  });

  test("rejects addresses in the domain of agents", async () => {
    await expect(signUp("sneaky", "sneaky@Agents.invalid")).rejects.toMatchObject({
      status: 400,
      code: "invalid_input",
      field: "email",
    });
  });

  test("logs in by username or address, in either field and any case", async () => {
    const { user } = await signUp("Barbara", "Barbara@example.org");
    for (const by of [
      { username: "barbara" },
      { email: "BARBARA@example.org" },
      { email: "Barbara" },
      { username: "barbara@EXAMPLE.org" },
      { email: null, username: "barbara" },
      { email: "barbara", username: null },
    ]) {
      expect(await logIn(by)).toEqual({ user });
    }
    for (const by of [{}, { email: null }, { email: null, username: null }])
      await expect(logIn(by)).rejects.toMatchObject({ status: 400, field: "email" });
  });

  test("gives a wrong password, an unknown username and an agent the same response", async () => {
    const operator = await tandem.as.human("operator");
    await tandem.as.agent(operator, "robot");
    const refusals = await Promise.all([
      tandem.as.anonymous().call("logIn", { username: "operator", password: "wrong horse" }),
      tandem.as.anonymous().call("logIn", { username: "missing_account", password }),
      tandem.as.anonymous().call("logIn", { email: "robot@agents.invalid", password }),
    ]);
    for (const { status, body, headers } of refusals) {
      expect({ status, body }).toEqual({ status: 401, body: refusals[0].body });
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(refusals[0].body).toMatchObject({ code: "unauthorized" });
  });

  test("throttles guesses at one account, by username or email address, until the window ends", async () => {
    await Promise.all([signUp("target"), signUp("neighbour")]);
    await logIn({ username: "target" });
    const wrong = { status: 401, code: "unauthorized" };
    await expect(logIn({ username: "target" }, "guess one")).rejects.toMatchObject(wrong);
    await expect(logIn({ email: "target@example.org" }, "guess two")).rejects.toMatchObject(wrong);
    await expect(logIn({ username: "TARGET" }, "guess three")).rejects.toMatchObject(wrong);
    await expect(logIn({ username: "target" })).rejects.toMatchObject({
      status: 429,
      code: "rate_limited",
      message: "Too many failed logins; try again in 15 minutes (900 s).",
      retryAfter: 900,
    });
    await logIn({ username: "neighbour" });
    clock.pass(900_000);
    await logIn({ username: "target" });
  });
});
