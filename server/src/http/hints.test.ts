import { documents } from "@tandem/contract/documents";
import { type ErrorCode, errors } from "@tandem/contract/errors";
import { docsOf, hintOf, routeOf } from "@tandem/contract/hints";
import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import { takesJson } from "@tandem/contract/operation";
import { type OperationName, operationList } from "@tandem/contract/operations";
import { badField, goodInput } from "@tandem/testing/arbitrary";
import { sendRequest } from "@tandem/testing/raw-http";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "./key-format.ts";
import { places, whereToLook } from "./where-to-look.ts";

/** The texts that a schema accepts. */
function textsIn(node: JsonSchemaNode): JsonSchemaNode[] {
  const parts = [
    ...(node.anyOf ?? []),
    ...(node.items ? [node.items] : []),
    ...Object.values(node.properties ?? {}),
  ];
  return node.type === "string" ? [node] : parts.flatMap(textsIn);
}

const isLimited = ({ maxLength, enum: values, "x-rule": rule }: JsonSchemaNode) =>
  maxLength !== undefined || values !== undefined || rule !== undefined;

const codes = Object.keys(errors) as ErrorCode[];
const pathFields = new Set(operationList.flatMap(({ params }) => Object.keys(params.properties)));

test.each(codes)("the hint of %s is short and names only existing operations", (code) => {
  const placeholders = [...hintOf(code).matchAll(/\{(.*?)\}/g)].map(([, name]) => String(name));
  expect(placeholders.filter((name) => !pathFields.has(name))).toEqual([]);
  expect(hintOf(code).length).toBeLessThan(250);
});

test.each(Object.keys(places))("what to do without the %s names only existing operations", (what) => {
  expect(whereToLook(what)).toMatch(
    /^It was .*deleted,? or never existed(, or isn't yours)?\. Look for it with GET \/api\/.*\.$/,
  );
});

test("every text that operations take has a limit, which its hint names", () => {
  const unlimited = operationList.flatMap(({ name, params, query, body }) =>
    Object.entries({ ...params.properties, ...query.properties, ...body.properties }).flatMap(
      ([field, schema]) => (textsIn(schema).every(isLimited) ? [] : [`${name}.${field}`]),
    ),
  );
  expect(unlimited).toEqual([]);
});

describe("the hint of an error", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { env: { LIMIT_TIERS_PROBATION_WRITES: "3" } });
  });
  afterAll(() => tandem.stop());

  async function hint(name: OperationName, input: object, caller = tandem.as.anonymous()) {
    return (await caller.call(name, input)).body.hint;
  }

  test.each([
    ["listPosts", { limit: 51 }, "limit must be a whole number from 1 to 50; for example 20."],
    [
      "listPosts",
      { provenance: "robot" },
      'provenance must be a comma-separated list of human, ai_generated, ai_assisted; for example "human".',
    ],
    ["readPost", { id: "x" }, "id must be a whole number of 1 or more; for example 42."],
    ["searchCreators", {}, 'q must be text of 1 to 300 characters, not only blanks; for example "ada".'],
    [
      "signUp",
      { email: "a" },
      'email must be an email address of 3 to 254 characters; for example "ada@example.org".',
    ],
    [
      "signUp",
      { email: "ada@example.org", username: "a b" },
      'username must be text of 2 to 40 characters, and can contain only letters A-Z, digits, _ . and -; for example "ada_l".',
    ],
    ["me", {}, hintOf("unauthorized")],
  ] as const)("of %s %j says what would be valid", async (name, input, expected) => {
    expect(await hint(name, input)).toBe(expected);
  });

  test("of values from a list doesn't repeat the list, which is in the message", async () => {
    const person = await tandem.as.human();
    for (const [name, input] of [
      ["listPosts", { sort: "best" }],
      ["listPosts", { saved: 2 }],
      ["createPost", { title: "x", provenance: 7 }],
      ["createPost", { title: "x", sensitive: "yes" }],
      ["createWebhook", { url: "https://example.org", types: ["coment"] }],
    ] as const)
      expect([input, await hint(name, input, person)]).toEqual([input, hintOf("invalid_input")]);
    const fields = await person.call("listPosts", { fields: "id,titel" });
    expect(fields.body.error).not.toContain("thumbnailUrl");
    expect(fields.body.hint).toContain("thumbnailUrl");
    const scopes = await person.call("mintKey", { scopes: ["posts:write", "comment:write"] });
    expect(scopes.body.error).toBe("There is no scope `comment:write`; did you mean `comments:write`?");
    expect(scopes.body.hint).toBe(hintOf("invalid_scope"));
    const two = await person.call("mintKey", { scopes: "posts:writ, posts:fly, posts:writ, posts:write" });
    expect(two.body.error).toBe(
      "There is no scope `posts:writ`; did you mean `posts:write`? There is no scope `posts:fly`.",
    );
  });

  test("for valid input that was refused says what to do instead", async () => {
    const { user } = await tandem.as.human();
    const taken = { username: user.username, email: "another@example.org", password: "correct horse" };
    expect(await hint("signUp", taken)).toBe(hintOf("username_taken"));
    const wrong = { username: user.username, password: "wrong horse" };
    expect(await hint("logIn", wrong)).toMatch(/credential in the body/);
    expect(await hint("logIn", wrong, tandem.as.bearer(newKey()))).toBe(hintOf("unauthorized"));
    const [ada, eve] = [await tandem.as.human(), await tandem.as.human()];
    const follow = (author: string) => hint("follow", { platform: "native", author }, eve);
    expect(await follow(`@${ada.user.username}`)).toBe("Leave out the @.");
    expect(await follow("nobody")).toMatch(/^GET \/api\/creators\/search finds accounts/);
    await ada.block({ username: eve.user.username });
    expect(await follow(ada.user.username)).toMatch(
      /^Don't retry\. It works again once .*DELETE \/api\/blocks/,
    );
    const { body } = await sendRequest(tandem.baseUrl, { path: documents.security });
    expect([body.code, body.hint]).toEqual(["not_found", expect.stringMatching(/^Agents start at/)]);
  });

  test("for a missing or unknown credential begins with what most callers must do", async () => {
    for (const caller of [tandem.as.anonymous(), tandem.as.bearer(newKey())])
      expect(await hint("me", {}, caller)).toMatch(
        /^Send `Authorization: Bearer` with a live key\. Without one, .*POST \/api\/agent-requests\./,
      );
  });

  test("for what isn't a key says how keys look, and for a key that was one doesn't", async () => {
    const person = await tandem.as.human();
    const key = await tandem.as.key(["posts:write"], person);
    const secret = String(key.options.key);
    const refused = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await sendRequest(tandem.baseUrl, { method: "GET", path: "/api/auth/me", headers })).body;
    };
    for (const token of ["$TANDEM_API_KEY", secret.slice(0, -1), `${secret}x`])
      expect([token, await refused(token)]).toMatchObject([
        token,
        { hint: expect.stringMatching(`^Keys begin with tandem_live_ and have ${secret.length} characters`) },
      ]);
    await person.revokeKey({ id: key.keyId });
    expect((await refused(secret)).hint).toMatch(/^Send `Authorization: Bearer` with a live key/);
  });

  test("for a key in another header or without Bearer says so", async () => {
    const { options } = await tandem.as.agent();
    const elsewhere = tandem.as.with({ "x-api-key": String(options.key) });
    const inHeader = /^Send the key as `Authorization: Bearer <key>`/;
    expect(await hint("me", {}, elsewhere)).toMatch(inHeader);
    expect(await hint("listPosts", { saved: 1 }, elsewhere)).toMatch(inHeader);
    expect(await hint("logIn", { username: "ada", password: "wrong" }, elsewhere)).toMatch(/in the body/);
    const { body } = await tandem.as.with({ authorization: String(options.key) }).call("me");
    expect(body).toMatchObject({
      code: "unauthorized",
      error: "`Authorization` must be `Bearer`, a space and a key.",
    });
    const person = await tandem.as.human();
    expect(await hint("mintKey", { scopes: "posts:fly" }, person)).toBe(hintOf("invalid_scope"));
    expect(hintOf("invalid_scope")).toContain("posts:write");
  });

  test("for a key in the query says how to send it, and that it counts as exposed", async () => {
    const person = await tandem.as.human();
    const key = await tandem.as.key([], person);
    const secret = String(key.options.key);
    const get = (path: string) => sendRequest(tandem.baseUrl, { path });
    for (const path of ["/api/posts", "/api/auth/me", "/api/posts?saved=1", documents.openApi])
      for (const name of ["api_key", "apikey", "access_token", "key", "token"]) {
        const { status, text, body } = await get(`${path}${path.includes("?") ? "&" : "?"}${name}=${secret}`);
        expect([400, 401]).toContain(status);
        expect([path, body.hint]).toEqual([
          path,
          expect.stringMatching(
            /^Send the key as `Authorization: Bearer <key>`.* exposed.*DELETE \/api\/keys/,
          ),
        ]);
        expect(text).not.toContain(secret);
      }
    expect((await get("/api/posts?api_key=x&limit=x")).body.errors).toHaveLength(2);
    const isExposed = expect.stringMatching(/ exposed.*DELETE \/api\/keys/);
    for (const [method, path, headers] of [
      ["GET", `/api/posts?api_key=${secret}`, { authorization: `Bearer ${secret}` }],
      ["GET", `/api/posts?secret=${secret}`, {}],
      ["GET", `/api/posts?${secret}`, {}],
      ["GET", `/api/nothing/${secret}`, {}],
      ["POST", `/mcp?${secret}`, {}],
      ["GET", `/api/posts/1?x=${secret.slice(0, -9)}`, {}],
      ["GET", `/api/nothing?secret=${secret}`, {}],
      ["PUT", `/api/posts?secret=${secret}`, {}],
      ["POST", `/mcp?key=${secret}`, {}],
      ["POST", `/mcp?secret=${secret}`, { authorization: `Bearer ${secret}` }],
      ["POST", "/mcp?api_key=x", {}],
      ["POST", `/a2a?key=${secret}`, {}],
    ] as const) {
      const sent = { method, path, headers: { "content-type": "application/json", ...headers } };
      const { status, text, body } = await sendRequest(tandem.baseUrl, { ...sent, body: "{}" });
      expect([path, status, body.hint]).toEqual([path, expect.any(Number), isExposed]);
      expect([400, 404, 405]).toContain(status);
      expect(text).not.toContain(secret);
    }
    // A link's token is another thing.
    const { hint: forToken } = (
      await sendRequest(tandem.baseUrl, { method: "POST", path: "/api/agent-claims?token=x" })
    ).body;
    expect(forToken).not.toMatch(/exposed/);
    expect((await key.call("me")).status).toBe(200);
  });

  test("for bodies, files and content types says what would be accepted", async () => {
    const person = await tandem.as.human();
    expect(await hint("createPost", { title: "x", productIds: "1" }, person)).toBe(
      "productIds must be a list of at most 20, each a whole number of 1 or more, or null.",
    );
    const send = async (type: string, body: string, path = "/api/posts") => {
      const headers = { ...person.options.headers, "content-type": type };
      const response = await sendRequest(tandem.baseUrl, { method: "POST", path, headers, body });
      return response.body.hint;
    };
    expect(await send("text/plain", "x")).toBe("Send application/json or multipart/form-data.");
    expect(await send(";;;", "x", "/api/posts/1/like")).toContain("has no body");
    expect(await send("application/json", "{")).toBe(
      "Send a JSON object in UTF-8. Required: title. Optional: body, url, contentWarning, sensitive, quoteId, quotePolicy, poll, productIds, community, provenance, alt, alts.",
    );
    expect(await send("application/json", '{"x"', "/api/posts/1/like")).toContain("has no body");
    const avatar = await person.call("setAvatar", { image: new Blob(["no picture"]) });
    expect(avatar.body.hint).toBe(
      "image must be a file of type jpg, png, webp, heic, by its content, and at most 10 MiB.",
    );
  });

  test("for a valid value that a rule refused leaves it to the message", async () => {
    const person = await tandem.as.human();
    const admin = { email: "admin@example.org", username: "Admin", password: "correct horse" };
    expect(await hint("signUp", admin)).toBe("Choose another name.");
    expect(await hint("requestAgent", { username: "admin" })).toBe("Choose another name.");
    expect(await hint("follow", { platform: "native", author: person.user.username }, person)).toBe(
      hintOf("invalid_input"),
    );
    const webhook = async (url: string) => {
      const { body } = await person.call("createWebhook", { url });
      return [body.error, body.field, body.hint];
    };
    expect(await webhook("http://127.0.0.1/hook")).toEqual([
      "127.0.0.1 isn't a public internet address.",
      "url",
      "url must lead to a server on the public internet, by http or https.",
    ]);
    expect(await webhook("https://example.org:22/hook")).toEqual([
      expect.stringContaining("port 22"),
      "url",
      hintOf("invalid_input"),
    ]);
  });

  test("for what doesn't exist says where to look", async () => {
    const person = await tandem.as.human();
    const lookWith = (place: string, otherwise = "") =>
      `It was deleted or never existed${otherwise}. Look for it with ${place}.`;
    expect(await hint("readPost", { id: 99 })).toBe(lookWith("GET /api/posts"));
    expect(await hint("likeComment", { id: 99 }, person)).toBe(lookWith("GET /api/posts/{id}/comments"));
    expect(await hint("readCreator", { platform: "native", author: "nobody" })).toBe(
      lookWith("GET /api/creators/search"),
    );
    expect(await hint("readCommunity", { name: "looms" })).toBe(
      lookWith(
        "GET /api/communities. One on another platform has only a feed: GET /api/posts with its `platform` and `community`",
      ),
    );
    expect(await hint("deleteProduct", { id: 99 }, person)).toBe(
      lookWith("GET /api/products with `mine=1`", ", or isn't yours"),
    );
    const { collection } = await person.createCollection({ name: "Looms" });
    expect(await hint("addToCollection", { id: collection.id, postId: 99 }, person)).toBe(
      lookWith("GET /api/posts"),
    );
    expect(await hint("claimAgent", { token: "x".repeat(43) })).toMatch(
      /^Send the `token` of the response to POST \/api\/agent-requests\./,
    );
  });

  test("for a wrong method lists those of the path", async () => {
    const { headers, body } = await sendRequest(tandem.baseUrl, { method: "PUT", path: "/api/posts" });
    expect(body.hint).toBe(`This path allows ${headers.get("allow")}.`);
    const meant = async (method: string, path: string) =>
      (await sendRequest(tandem.baseUrl, { method, path })).body.hint;
    for (const path of ["/mcp", "/api"]) expect(await meant("DELETE", path)).not.toMatch(/Did you mean/);
    expect(await meant("PATCH", "/api/keys/5")).toMatch(/Did you mean PATCH \/api\/keys\?$/);
    expect(await meant("GET", "/api/users/me")).toMatch(/Did you mean GET \/api\/auth\/me\?$/);
    expect(await meant("DELETE", "/api/posts?x=1")).toMatch(/Did you mean DELETE \/api\/posts\/\{id\}\?$/);
    expect(await meant("POST", "/api/comments")).toMatch(
      /Did you mean POST \/api\/posts\/\{id\}\/comments\?$/,
    );
  });

  test("for what isn't about a field's value doesn't describe the field", async () => {
    const person = await tandem.as.human();
    const send = (method: string, path: string, type?: string) =>
      sendRequest(tandem.baseUrl, {
        ...{ method, path },
        ...(type && { body: "x" }),
        headers: { ...person.options.headers, ...(type && { "content-type": type }) },
      });
    expect((await send("GET", "/api/posts?limit=1&limit=2")).body).toMatchObject({
      error: "limit is repeated.",
      hint: hintOf("invalid_input"),
    });
    const { body } = await send("POST", "/api/posts", "multipart/form-data");
    expect([body.field, body.hint]).toEqual([
      undefined,
      expect.stringMatching(/^Let your HTTP client build/),
    ]);
  });

  test("for an unknown path points to the documentation", async () => {
    const { body } = await sendRequest(tandem.baseUrl, { path: "/api/post" });
    expect(body.hint).toContain("/api/openapi.json");
  });

  test("for what needs a session says where a key finds out about itself", async () => {
    const key = await tandem.as.key();
    for (const name of ["listKeys", "listAgents", "readSecurity"] as const) {
      const text = await hint(name, {}, key);
      expect(text).toContain(`${routeOf("readOwnKey")} shows`);
      expect(text).toContain(`${routeOf("me")} whose`);
    }
  });

  test("for a missing scope names it, and those that the key has", async () => {
    const key = await tandem.as.key(["posts:write", "profile:write"]);
    expect(await hint("likePost", { id: 1 }, key)).toBe(
      `Needed: engagement:write; this key has posts:write, profile:write. ${hintOf("insufficient_scope")}`,
    );
  });

  test("for an exceeded quota says when to retry", async () => {
    const key = await tandem.as.key();
    for (let i = 0; i < 3; i++) await key.markNotificationsRead();
    const { headers, body } = await key.call("markNotificationsRead");
    expect(body.hint).toBe(
      `Retry in ${headers.get("retry-after")} seconds. GET /api/keys/self shows what is left of each quota.`,
    );
  });

  test("for any error says what to do and where to read more, and reveals no secret", async () => {
    const [person, key, agent] = [await tandem.as.human(), await tandem.as.key([]), await tandem.as.agent()];
    const callers = [
      person,
      key,
      agent,
      tandem.as.anonymous(),
      tandem.as.bearer("tandem_live_not_a_real_one"),
    ];
    const ops = operationList.filter(({ params, query, body }) =>
      [params, query, body].some(({ properties }) => Object.keys(properties).length > 0),
    );
    const call = fc
      .constantFrom(...ops)
      .chain((op) => fc.record({ op: fc.constant(op), input: goodInput(op), bad: badField(op) }));
    await fc.assert(
      fc.asyncProperty(call, fc.constantFrom(...callers), async ({ op, input, bad }, caller) => {
        const sent = { ...input, [bad.name]: bad.value };
        const { status, body } = await caller.call(op.name as OperationName, sent, { dryRun: true });
        // An operation that needs a file takes no JSON.
        expect(takesJson(op) ? [401, 403, 400] : [401, 403, 400, 415]).toContain(status);
        const { error, code, hint, docs } = body as Record<string, string>;
        expect([typeof error, docs]).toEqual(["string", docsOf(tandem.baseUrl, code as ErrorCode)]);
        expect(String(hint).length).toBeGreaterThan(10);
        const { key: secret, headers: own } = caller.options;
        for (const one of [secret, own?.cookie]) if (one !== undefined) expect(hint).not.toContain(one);
      }),
      { numRuns: 150 },
    );
  });
});

test("routeOf returns an operation's route and throws for unknown names", () => {
  expect(routeOf("listPosts")).toBe("GET /api/posts");
  expect(() => routeOf("listLooms")).toThrow("listLooms");
});
