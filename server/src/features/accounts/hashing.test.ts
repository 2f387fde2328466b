import { uniqueName } from "@tandem/testing/callers";
import { startTandem } from "@tandem/testing/tandem";
import { beforeAll, describe, expect, test } from "vitest";
import { fullCost, hashPassword, setHashCost } from "./hashing.ts";

beforeAll(() => setHashCost(fullCost));

test("hashes a password at the full cost", async () => {
  expect(await hashPassword("correct horse")).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

describe("hashing many passwords", () => {
  const password = "correct horse";

  test("refuses requests while the queue is full, without counting them as attempts", async () => {
    await using tandem = await startTandem("sqlite", {
      env: { TRUST_PROXY: "1", LIMIT_THROTTLES_LOGIN_PER_ACCOUNT_AND_ADDRESS_LIMIT: "100" },
    });
    await tandem.as.human("ada");
    const from = (i: number) => tandem.as.with({ "x-forwarded-for": `203.0.113.${i}` });
    const log = (i: number) => from(i).call("logIn", { username: "ada", password });
    const sign = (i: number) => {
      const username = uniqueName("many");
      return from(i).call("signUp", { username, email: `${username}@example.org`, password });
    };
    // Fewer requests are handled at the same time than the queue holds.
    const others = Promise.allSettled(Array.from({ length: 200 }, () => hashPassword(password)));
    const responses = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? log(i) : sign(i))));
    await others;
    const refused = responses.filter(({ status }) => status === 503);
    expect(responses.filter(({ status }) => status === 200).length).toBe(40 - refused.length);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused)
      expect([body.code, headers.get("retry-after")]).toEqual(["overloaded", "1"]);
    const counted = await tandem.storage.read
      .selectFrom("quota_windows")
      .select("used")
      .where("quota", "<>", "sessions")
      .execute();
    const signUps = responses.filter(({ status }, i) => i % 2 === 0 && status === 200);
    expect(counted).toEqual(signUps.map(() => ({ used: 1 })));
    expect((await log(1)).status).toBe(200);
  });

  test("detects taken usernames before hashing", async () => {
    await using tandem = await startTandem();
    await tandem.as.human("ada");
    const sign = () =>
      tandem.as.anonymous().call("signUp", { username: "ada", email: "new@example.org", password });
    const responses = await Promise.all(Array.from({ length: 200 }, sign));
    expect(new Set(responses.map(({ body }) => body.code))).toEqual(new Set(["username_taken"]));
  });
});
