import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { programOf } from "../programs.ts";

/* Tests that pass, fail, or need a program. `skipping.slow.test.ts` runs them without any programs. */

test("passes", () => {});

describe("needs a program", () => {
  test("in a test", async () => {
    await programOf("caddy");
  });

  test("inside a library that wraps errors", async () => {
    await programOf("caddy").catch((cause) => {
      throw new Error("Property failed", { cause });
    });
  });

  describe("in a hook", () => {
    let server: { close(): void } | undefined;
    beforeAll(async () => {
      await programOf("exiftool");
    });
    afterAll(() => {
      // Like hooks that rely on the first one.
      if (!server) throw new TypeError("There is no server");
      server.close();
    });
    test("one", () => {});
    test("another", () => {});
  });
});

describe("fails", () => {
  test("by itself", () => {
    expect(1).toBe(2);
  });

  describe("before a hook", () => {
    afterEach(async () => {
      await programOf("caddy");
    });
    test("that lacks a program", () => {
      expect(1).toBe(2);
    });
  });

  describe("in a suite", () => {
    afterAll(async () => {
      await programOf("caddy");
    });
    test("whose last hook lacks a program", () => {
      expect(1).toBe(2);
    });
  });
});
