import type { Tool } from "@modelcontextprotocol/server";
import { limits } from "@tandem/contract/limits";
import { scopesOf } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { type Scope, scopeNames } from "@tandem/contract/scopes";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer";
import { describe, expect, test } from "vitest";
import type { FileAccess } from "./files.ts";
import { toolsFor } from "./tools.ts";
import { mayCall, operationsFor } from "./visibility.ts";

const byPath: FileAccess = { by: "path", folders: ["/"] };
const asBase64: FileAccess = { by: "base64", maxBytes: 700 * 1024 };
const everything = { scopes: scopeNames, byMeaning: true, files: byPath };
const keyless = toolsFor({ scopes: null, byMeaning: true, files: asBase64 });
const byName = new Map(toolsFor(everything).map((tool) => [tool.name, tool]));

/** Limits of the tool list, which a model reads in every conversation. */
const MAX_TOOLS = 25;
const MAX_TOKENS = 5000;
/** Without a key, which every newcomer reads. */
const MAX_KEYLESS_TOKENS = 1600;

describe("the list of tools", () => {
  test("is short, in tools and tokens", () => {
    const tools = toolsFor(everything);
    expect(tools.length).toBeLessThanOrEqual(MAX_TOOLS);
    expect(countTokens(JSON.stringify({ tools }))).toBeLessThan(MAX_TOKENS);
    expect(countTokens(JSON.stringify({ tools: keyless }))).toBeLessThan(MAX_KEYLESS_TOKENS);
  });

  test("lets only callers without a key ask for an account", () => {
    const asking = ["tandem_request_agent", "tandem_claim_agent"];
    expect(keyless.map(({ name }) => name)).toEqual(expect.arrayContaining(asking));
    for (const name of asking) expect(byName.has(name)).toBe(false);
  });

  test("has a tool that finds posts by meaning with a key, if the service does; it can be searched for otherwise", () => {
    const name = "tandem_list_similar_posts";
    const without = toolsFor({ ...everything, byMeaning: false });
    const found = (tools: Tool[]) => [
      tools.some((tool) => tool.name === name),
      tools.some(({ description }) => description?.includes("listSimilarPosts")),
    ];
    expect([[...byName.values()], without, keyless].map(found)).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  test("says that no one vouched for a provenance that is assumed", () => {
    const { properties } = keyless.find(({ name }) => name === "tandem_list_posts")?.inputSchema ?? {};
    expect(properties?.basis).toMatchObject({
      description: expect.stringMatching(/assumed \(no one vouched for it\)/),
    });
  });

  test("has a title for every tool", () => {
    expect(byName.get("tandem_create_post")?.title).toBe("Create post");
    for (const { title } of [...byName.values(), ...keyless]) expect(title).toMatch(/^[A-Z][a-z ]+$/);
  });

  test("has the same order for every key", () => {
    const order = [...byName.keys()];
    expect(new Set(order).size).toBe(order.length);
    const keyScopes = fc.subarray([...scopeNames]);
    fc.assert(
      fc.property(keyScopes, fc.boolean(), fc.constantFrom(byPath, asBase64), (scopes, byMeaning, files) => {
        const names = toolsFor({ scopes, byMeaning, files }).map(({ name }) => name);
        expect(names).toEqual(order.filter((name) => names.includes(name)));
      }),
    );
  });

  test("makes every operation for keys reachable, and none for people", () => {
    const reached = operationsFor(everything).map(({ name }) => name);
    const forKeys = operationList.filter(
      (op) =>
        op.access.kind !== "session" &&
        !["Identity", "Account"].includes(op.area) &&
        op.exposure !== "keyless" &&
        !op.redirects &&
        !op.streams,
    );
    expect(reached).toEqual(expect.arrayContaining(forKeys.map(({ name }) => name)));
    expect(reached).toEqual(expect.arrayContaining(["me", "editProfile", "setAvatar"]));
    const people = [
      "forgotPassword",
      "deleteAccount",
      "signInWithPasskey",
      "signUp",
      "logIn",
      "logOut",
      "mintKey",
      "createAgent",
      "startLive",
      "beginSignIn",
    ];
    expect(reached.filter((name) => people.includes(name))).toEqual([]);
  });

  test("shows only what a key's scopes allow", () => {
    fc.assert(
      fc.property(fc.option(fc.subarray([...scopeNames])), (scopes: Scope[] | null) => {
        for (const op of operationsFor({ scopes })) {
          expect(mayCall(op, scopes)).toBe(true);
          if (op.access.kind === "scope") {
            const enough = scopesOf(op.access);
            expect(scopes?.filter((scope) => enough.includes(scope))).not.toHaveLength(0);
          }
          if (scopes === null) expect(op.access.kind).toBe("anyone");
        }
      }),
    );
  });

  test("takes only pictures if calls contain files", () => {
    const tools = toolsFor({ scopes: scopeNames, byMeaning: false, files: asBase64 });
    const { properties = {} } = tools.find(({ name }) => name === "tandem_create_post")?.inputSchema ?? {};
    expect(properties).toMatchObject({
      image: {
        type: "array",
        maxItems: limits.picturesPerPost,
        items: { description: expect.stringMatching(/^Base64: .*; 700 KiB in all$/) },
      },
    });
    expect(properties).not.toHaveProperty("video");
  });
});

/** The expected hints, written by hand: read-only, destructive, idempotent, open-world. */
const hints: Record<string, [boolean, boolean, boolean, boolean]> = {
  tandem_me: [true, false, true, true],
  tandem_edit_profile: [false, true, true, true],
  tandem_list_posts: [true, false, true, true],
  tandem_read_post: [true, false, true, true],
  tandem_create_post: [false, false, false, true],
  tandem_edit_post: [false, true, true, true],
  tandem_delete_post: [false, true, true, true],
  tandem_list_comments: [true, false, true, true],
  tandem_create_comment: [false, false, false, true],
  tandem_edit_comment: [false, true, true, true],
  tandem_delete_comment: [false, true, true, true],
  tandem_like_post: [false, false, true, true],
  tandem_unlike_post: [false, false, true, true],
  tandem_like_comment: [false, false, true, true],
  tandem_vote: [false, false, true, true],
  tandem_save_post: [false, false, true, true],
  tandem_follow: [false, false, true, true],
  tandem_unfollow: [false, false, true, true],
  tandem_search_creators: [true, false, true, true],
  tandem_list_notifications: [true, false, true, true],
  tandem_mark_notifications_read: [false, false, true, false],
  tandem_read_own_key: [true, false, true, true],
  tandem_list_similar_posts: [true, false, true, true],
  tandem_search_operations: [true, false, true, false],
  tandem_call_operation: [false, true, false, true],
};

describe("the annotations", () => {
  test("exist for every tool", () => {
    expect([...byName.keys()].sort()).toEqual(Object.keys(hints).sort());
  });

  test.each(Object.entries(hints))("of %s", (name, [reads, destroys, repeats, open]) => {
    expect(byName.get(name)?.annotations).toEqual({
      readOnlyHint: reads,
      destructiveHint: destroys,
      idempotentHint: repeats,
      openWorldHint: open,
    });
  });

  test("of the tool that calls other operations are read-only if the key can only read", () => {
    const [call] = toolsFor({ scopes: [], byMeaning: false, files: byPath }).slice(-1);
    expect(call?.name).toBe("tandem_call_operation");
    expect(call?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  });
});

describe("the schemas", () => {
  test.each([...byName])("of %s are objects with a type for every field", (_name, tool) => {
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      expect(schema).toMatchObject({ type: "object" });
      for (const field of Object.values(schema?.properties ?? {}))
        expect(field).toHaveProperty("type", expect.anything());
    }
  });

  test("have the bounds of fields, and null only where it clears a field", () => {
    expect(byName.get("tandem_edit_post")?.inputSchema.properties).toMatchObject({
      title: { type: "string", maxLength: 300 },
      body: { type: ["string", "null"], maxLength: 10_000 },
    });
    expect(byName.get("tandem_create_post")?.inputSchema).toMatchObject({
      properties: { body: { type: "string" } },
      required: ["title"],
    });
  });
});
