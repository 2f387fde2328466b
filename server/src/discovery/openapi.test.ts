import { Validator } from "@seriousme/openapi-schema-validator";
import { type ErrorCode, errors } from "@tandem/contract/errors";
import { docsOf, hintOf } from "@tandem/contract/hints";
import { type Access, isWrite, scopesOf } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { scopes } from "@tandem/contract/scopes";
import { defaultLimits } from "@tandem/contract/tiers";
import { startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { inputValidatorOf } from "../http/input-validator.ts";
import { exampleBody, exampleOf } from "./examples.ts";
import { openApi } from "./openapi.ts";
import { OpenApiReader } from "./openapi-reader.ts";
import type { Json } from "./schemas.ts";

const reader = new OpenApiReader(openApi("https://tandem.example", defaultLimits));
const { document } = reader;
const described = (name: string) => reader.at(String(reader.operations.get(name))) as Json;
const parametersOf = (name: string) =>
  (described(name).parameters as Json[]).map((_, index) => {
    const at = reader.follow(`${reader.operations.get(name)}/parameters/${index}`);
    return reader.at(at) as { name: string; in: string; required?: boolean };
  });

describe("the document", () => {
  test("is valid OpenAPI 3.1 according to a public validator", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    expect(document.info).toMatchObject({ title: "Tandem", version: "1.0.0" });
    expect(document.servers).toEqual([{ url: "https://tandem.example" }]);
  });

  test("describes every operation of the contract, and nothing else", () => {
    const declared = operationList.map(({ name, method, path }) => `${name}: ${method} ${path}`);
    const found = [...reader.operations].map(([name, pointer]) => {
      const [method = "", path = ""] = pointer.split("/").reverse();
      return `${name}: ${method.toUpperCase()} ${path.replaceAll("~1", "/")}`;
    });
    expect(found.sort()).toEqual(declared.sort());
  });

  test("has no dangling references and no unused components", () => {
    const references = new Set<string>();
    for (const [pointer, { $ref }] of reader.nodes()) {
      if (typeof $ref !== "string") continue;
      expect(reader.at($ref.slice(1)), `${pointer} refers to ${$ref}`).toBeDefined();
      references.add($ref);
    }
    const { securitySchemes, ...components } = document.components as Record<string, Json>;
    const defined = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...references].sort()).toEqual(defined.sort());
  });

  test("contains none of the contract's own annotations", () => {
    for (const [pointer, node] of reader.nodes()) {
      if (pointer === "/paths" || pointer === "" || pointer.startsWith("/x-")) continue;
      const names = Object.keys(node).filter((name) => name === "$id" || name.startsWith("x-"));
      expect(names, pointer).toEqual([]);
      expect(["text", "web-address"], pointer).not.toContain(node.format);
    }
  });

  test("lists scopes, errors and limits", () => {
    const { description } = document.info as { description: string };
    expect(document["x-scopes"]).toEqual(scopes);
    for (const name of Object.keys(scopes)) expect(description).toContain(`| \`${name}\` |`);
    for (const [code, error] of Object.entries(errors)) {
      expect(description).toContain(`### ${code}\n\nStatus ${error.status}. ${error.description}`);
    }
    expect(description).toContain("| probation | 10 | 100 | 500 | 10 |");
  });
});

describe("an operation's security matches its access", () => {
  const expected: Record<Access["kind"], (scopes: string[]) => Json[]> = {
    anyone: () => [{}, { apiKey: [] }, { session: [] }],
    caller: () => [{ apiKey: [] }, { session: [] }],
    scope: (scopes) => [...scopes.map((scope) => ({ apiKey: [scope] })), { session: [] }],
    session: () => [{ session: [] }],
    key: () => [{ apiKey: [] }],
  };

  test.each(operationList)("$name", ({ name, access }) => {
    const scopes = access.kind === "scope" ? scopesOf(access) : [];
    const { security, responses, description } = described(name);
    expect(security).toEqual(expected[access.kind](scopes));
    for (const scope of scopes) expect(description).toContain(scope);
    expect(Object.keys(responses as Json)).toContain("401");
  });
});

describe("the parameters and body of an operation match the contract", () => {
  test.each(operationList)("$name", (op) => {
    const parameters = parametersOf(op.name);
    const names = parameters.map(({ name }) => name);
    const takesKey = isWrite(op) && op.access.kind !== "anyone";
    expect(names.includes("dryRun")).toBe(isWrite(op));
    expect(names.includes("Idempotency-Key")).toBe(takesKey);
    expect(names.includes("If-None-Match")).toBe(!isWrite(op) && !op.redirects && !op.streams);
    expect(names.includes("Last-Event-ID")).toBe(op.streams);
    expect(parameters.filter((parameter) => parameter.in === "path").map(({ name }) => `{${name}}`)).toEqual(
      op.path.match(/\{\w+\}/g) ?? [],
    );
    const needsFile = Object.values(op.files).some((file) => file.required);
    const required = (op.body.required ?? []).length > 0 || needsFile;
    const { requestBody } = described(op.name) as { requestBody?: { required: boolean } };
    const fields = Object.keys(op.body.properties);
    const none = fields.length === 0 && !needsFile;
    expect(requestBody?.required).toBe(none ? undefined : required && op.method !== "DELETE");
    if (op.method === "DELETE") expect(names).toEqual(expect.arrayContaining(fields));
  });
});

test("a form has the fields of the JSON body, and files with their types", () => {
  const { content } = described("createPost").requestBody as { content: Record<string, Json> };
  const { schema, encoding } = content["multipart/form-data"] as { schema: Json; encoding: Json };
  const json = content["application/json"] as { schema: { properties: Json } };
  const files = ["image", "video", "thumbnail"];
  expect(Object.keys(schema.properties as Json)).toEqual([...Object.keys(json.schema.properties), ...files]);
  expect(schema.required).toEqual(["title"]);
  expect(encoding.video).toEqual({ contentType: "video/mp4, video/quicktime" });
  const avatar = described("setAvatar").requestBody as { content: Record<string, { schema: Json }> };
  expect(Object.keys(avatar.content)).toEqual(["multipart/form-data"]);
  expect(avatar.content["multipart/form-data"]?.schema.required).toEqual(["image"]);
});

describe("an example", () => {
  test.each(operationList)("of a request of $name is accepted, and there is one of its response", (op) => {
    const success = reader.response(op.name, op.redirects ? 302 : 200);
    const type = op.streams ? "text~1event-stream" : "application~1json";
    const place = op.redirects ? "headers/Location" : `content/${type}`;
    expect(reader.at(`${success}/${place}/example`)).toBeDefined();
    const params = Object.fromEntries(
      Object.entries(op.params.properties).map(([name, field]) => [name, String(exampleOf(field))]),
    );
    const query = (op.query.required ?? [])
      .map((name) => `${name}=${encodeURIComponent(String(exampleOf(op.query.properties[name] ?? {})))}`)
      .join("&");
    const body = exampleBody(op);
    expect(inputValidatorOf(op).validate({ params, query, body }, null)).toMatchObject(body);
  });

  test("matches the schema next to it", () => {
    let validated = 0;
    for (const [pointer, { schema, example, examples }] of reader.nodes()) {
      if (schema === undefined) continue;
      const values = Object.values((examples ?? {}) as Record<string, { value: unknown }>).map(
        ({ value }) => value,
      );
      const validate = reader.validator(`${pointer}/schema`);
      for (const value of example === undefined ? values : [example, ...values]) {
        expect(validate(value), `${pointer}: ${JSON.stringify(validate.errors)}`).toBe(true);
        validated++;
      }
    }
    expect(validated).toBeGreaterThan(operationList.length);
  });

  test("of an error has its hint and a link to its documentation", () => {
    const shown = new Set<unknown>();
    for (const [, { examples }] of reader.nodes())
      for (const [code, example] of Object.entries(examples ?? {})) {
        if (!(code in errors)) continue;
        const { hint, docs } = example.value;
        expect([hint, docs]).toEqual([
          hintOf(code as ErrorCode),
          docsOf("https://tandem.example", code as ErrorCode),
        ]);
        shown.add(code);
      }
    expect(shown.size).toBeGreaterThan(20);
  });

  test("matches the schema that it is part of", () => {
    let validated = 0;
    for (const [pointer, { examples }] of reader.nodes()) {
      if (!Array.isArray(examples)) continue;
      const validate = reader.validator(pointer);
      for (const value of examples) {
        expect(validate(value), `${pointer}: ${JSON.stringify(validate.errors)}`).toBe(true);
        validated++;
      }
    }
    expect(validated).toBeGreaterThan(100);
  });
});

describe("as served", () => {
  test("has an ETag, and refuses other methods", async () => {
    await using tandem = await startTandem();
    const url = `${tandem.baseUrl}/api/openapi.json`;
    const first = await fetch(url);
    expect(first.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await first.json()).toMatchObject({ openapi: "3.1.0", servers: [{ url: tandem.baseUrl }] });
    const etag = first.headers.get("etag") ?? "";
    expect((await fetch(url, { headers: { "if-none-match": etag } })).status).toBe(304);
    const posted = await fetch(url, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await posted.json()).toMatchObject({ code: "method_not_allowed" });
  });

  test("shows the configured limits", async () => {
    const env = { LIMIT_TIERS_PROBATION_POSTS: "3", LIMIT_GRADUATION_STANDARD_DAYS: "11" };
    await using tandem = await startTandem("sqlite", { env });
    const served = await (await fetch(`${tandem.baseUrl}/api/openapi.json`)).json();
    const { tiers, graduation, sessionWritesPerMinute } = tandem.limits;
    expect(served["x-limits"]).toMatchObject({ tiers, graduation, sessionWritesPerMinute });
    expect(served["x-limits"].tiers.probation.posts).toBe(3);
    expect(served.info.description).toContain("| probation | 3 |");
    expect(served.info.description).toContain("once it is 11 days old");
    expect(served.components.headers["RateLimit-Limit"].example).toBe(3);
  });
});
