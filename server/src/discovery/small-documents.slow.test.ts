import { createConfig, lintFromString } from "@redocly/openapi-core";
import { areaNames } from "@tandem/contract/areas";
import { areaPath } from "@tandem/contract/documents";
import type { Operation } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { countTokens } from "gpt-tokenizer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorCodes } from "./error-codes.ts";
import { actionLimits } from "./gpt-actions.ts";
import { OpenApiReader } from "./openapi-reader.ts";

let tandem: Tandem;
beforeAll(async () => {
  tandem = await startTandem();
});
afterAll(() => tandem.stop());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(new URL(path, tandem.baseUrl), { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const read = async (path: string) => (await get(path)).text;

describe("the small documents", () => {
  // With an address of usual length.
  const tokens = async (path: string) =>
    countTokens((await read(path)).replaceAll(tandem.baseUrl, "https://tandem.example"));

  test("take few tokens", async () => {
    expect(await tokens("/llms.txt")).toBeLessThan(1000);
    expect(await tokens("/skill.md")).toBeLessThan(1300);
    expect(await tokens("/ai-policy.md")).toBeLessThan(1500);
    for (const code of errorCodes) expect(await tokens(`/errors/${code}.md`)).toBeLessThan(1200);
    const whole = await tokens("/developers.md");
    for (const area of areaNames) expect(await tokens(areaPath(area))).toBeLessThan(whole / 4);
  });

  test("say that no one vouched for a provenance that is assumed", async () => {
    for (const path of ["/llms.txt", "/ai-policy.md"])
      expect([path, await read(path)]).toEqual([
        path,
        expect.stringMatching(/`.*assumed.*`.* no one vouched for/),
      ]);
  });

  test("of all areas describe every operation once", async () => {
    const texts = await Promise.all(areaNames.map((area) => read(areaPath(area))));
    const found = texts.flatMap((text) =>
      [...text.matchAll(/^### (\w+)\n\n`[A-Z]+ \/api/gm)].map(([, name]) => name),
    );
    expect(found.sort()).toEqual(
      operationList
        .filter(({ redirects }) => !redirects)
        .map(({ name }) => name)
        .sort(),
    );
  });

  test("of errors are HTML for people, and don't exist for unknown codes", async () => {
    const { headers, text } = await get("/errors/agent_limit", { accept: "text/html" });
    expect([headers.get("content-type"), headers.get("vary")]).toEqual([
      "text/html; charset=utf-8",
      "Accept, Accept-Encoding",
    ]);
    expect(text).toContain("POST /api/agents");
    expect((await get("/errors/nothing.md")).status).toBe(404);
    expect((await get("/errors/constructor")).status).toBe(404);
  });

  test("the skill has front matter, and names only operations that exist", async () => {
    const text = await read("/skill.md");
    const [, name, description = ""] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(text) ?? [];
    expect(name).toMatch(/^[a-z0-9-]{1,64}$/);
    expect(description.length).toBeLessThan(1024);
    const routes = operationList.map(({ method, path }) => `${method} ${path}`);
    const named = [...text.matchAll(/`((?:GET|POST|PATCH|DELETE) \/[^`]*)`/g)].map(([, route]) => route);
    expect(named.length).toBeGreaterThan(4);
    expect(routes).toEqual(expect.arrayContaining(named));
  });

  test("no sample signs up with a password that works when it is pasted", async () => {
    for (const path of ["/llms.txt", "/skill.md", "/developers.md"])
      for (const [, value] of (await read(path)).matchAll(/"(?:password|currentPassword)":"([^{]*?)[,}]/g))
        expect(value).toBe(`'"$TANDEM_PASSWORD"'"`);
  });
});

describe("parts of the OpenAPI document", () => {
  const operationsOf = async (query: string) => {
    const text = await read(`/api/openapi.json?${query}`);
    return [...new OpenApiReader(JSON.parse(text)).operations.keys()].sort();
  };
  const names = (admits: (op: Operation) => boolean) =>
    operationList
      .filter(admits)
      .map(({ name }) => name)
      .sort();

  test("contain what each kind of caller can call, and one area", async () => {
    expect(await operationsOf("for=public")).toEqual(names(({ access }) => access.kind === "anyone"));
    expect(await operationsOf("for=key")).toEqual(names(({ access }) => access.kind !== "session"));
    expect(await operationsOf("for=session")).toEqual(names(({ access }) => access.kind !== "key"));
    expect(await operationsOf("area=keys-and-agents&_=1")).toEqual(
      names(({ area }) => area === "Keys and agents"),
    );
    expect(await operationsOf("for=key&area=messages")).toEqual([]);
    expect(await read("/api/openapi.json?_=1")).toBe(await read("/api/openapi.json"));
  });

  test.each([
    ["for=agents", "for", undefined],
    ["for=keys", "for", "key"],
    ["area=Posts", "area", "posts"],
    ["areas=posts", "areas", "area"],
    ["for=key&for=key", "for", undefined],
  ])("%s is refused", async (query, field, meant) => {
    const { status, text } = await get(`/api/openapi.json?${query}`);
    const body = JSON.parse(text);
    expect([status, body]).toMatchObject([400, { code: "invalid_input", field }]);
    expect(/did you mean `(.*?)`\?/.exec(body.error)?.[1]).toBe(meant);
  });

  test("are valid", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    for (const path of ["openapi.json?for=public", "openapi.json?for=key&area=posts", "gpt-actions.json"]) {
      const faults = await lintFromString({ source: await read(`/api/${path}`), config });
      const found = faults
        .filter(({ severity }) => severity === "error")
        .map(({ ruleId, message }) => `${ruleId}: ${message}`);
      expect([path, [...new Set(found)]]).toEqual([path, []]);
    }
  });

  test("for GPT Actions are small, and ask before they write", async () => {
    const reader = new OpenApiReader(JSON.parse(await read("/api/gpt-actions.json")));
    expect(reader.operations.size).toBeLessThanOrEqual(actionLimits.operations);
    expect([...reader.operations.keys()]).toEqual(expect.arrayContaining(["createPost", "listPosts"]));
    for (const [name, pointer] of reader.operations) {
      const described = reader.at(pointer) as { description: string; parameters: { description?: string }[] };
      expect(described.description.length).toBeLessThanOrEqual(actionLimits.description);
      for (const { description = "" } of described.parameters)
        expect(description.length).toBeLessThanOrEqual(actionLimits.parameter);
      expect(described).toHaveProperty(
        "x-openai-isConsequential",
        operationList.find((op) => op.name === name)?.effect !== "reads",
      );
    }
    for (const [pointer, { $ref }] of reader.nodes())
      if (typeof $ref === "string") expect(reader.at($ref.slice(1)), pointer).toBeDefined();
  });
});
