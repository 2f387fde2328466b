import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { areaNames } from "@tandem/contract/areas";
import { areaPath } from "@tandem/contract/documents";
import { DAY } from "@tandem/contract/durations";
import { errors } from "@tandem/contract/errors";
import type { JsonSchemaNode } from "@tandem/contract/json-schema";
import { operationList } from "@tandem/contract/operations";
import { runShell } from "@tandem/testing/shell";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limitSettings } from "../config/limits.ts";
import { OpenApiReader } from "./openapi-reader.ts";

/** Resets all limits to their defaults. */
const defaultLimitEnv = Object.fromEntries(limitSettings().map(({ name }) => [name, ""]));

let tandem: Tandem;
beforeAll(async () => {
  tandem = await startTandem("sqlite", {
    env: { ...defaultLimitEnv, SECURITY_CONTACT: "porter@tandem.example" },
  });
});
afterAll(() => tandem.stop());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(new URL(path, tandem.baseUrl), { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const read = async (path: string) => (await get(path)).text;

const areaDocuments = areaNames.map((area) => [areaPath(area), "text/markdown; charset=utf-8"]);

const types: Record<string, string> = {
  ...Object.fromEntries(areaDocuments),
  "/skill.md": "text/markdown; charset=utf-8",
  "/errors/invalid_input": "text/markdown; charset=utf-8",
  "/errors/agent_limit.md": "text/markdown; charset=utf-8",
  "/api/gpt-actions.json": "application/json; charset=utf-8",
  "/api/openapi.json?for=key&area=posts": "application/json; charset=utf-8",
  "/llms.txt": "text/plain; charset=utf-8",
  "/llms-full.txt": "text/plain; charset=utf-8",
  "/developers.md": "text/markdown; charset=utf-8",
  "/ai-policy": "text/markdown; charset=utf-8",
  "/ai-policy.md": "text/markdown; charset=utf-8",
  "/robots.txt": "text/plain; charset=utf-8",
  "/opensearch.xml": "application/opensearchdescription+xml; charset=utf-8",
  "/.well-known/security.txt": "text/plain; charset=utf-8",
  "/.well-known/api-catalog": 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  "/api/openapi.json": "application/json; charset=utf-8",
};

describe.each(Object.entries(types))("%s", (path, type) => {
  test("has its content type and an ETag, and returns 304 if unchanged", async () => {
    const { status, headers, text } = await get(path);
    expect([status, headers.get("content-type")]).toEqual([200, type]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(text).not.toMatch(/undefined|\[object|NaN|tandem_live_\w{20}/);
    const etag = String(headers.get("etag"));
    expect((await get(path, { "if-none-match": etag })).status).toBe(304);
    const head = await fetch(tandem.baseUrl + path, { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
  });

  test("links only to existing pages", async () => {
    const prose = (await read(path)).replace(/^```.*?^```$/gms, "");
    const links = prose.match(/https?:\/\/[^\s"'`<>)\]}]*[^\s"'`<>)\]},;.:]/g) ?? [];
    const local = [...new Set(links)].filter((link) => link.startsWith(tandem.baseUrl));
    const found = await Promise.all(local.map(async (link) => [link, (await get(link)).status]));
    // The MCP endpoint responds only to POST.
    expect(found).toEqual(local.map((link) => [link, /\/mcp(\?login)?$/.test(link) ? 405 : 200]));
  });
});

describe("llms.txt", () => {
  test("has the format of llmstxt.org", async () => {
    const [before = "", ...sections] = (await read("/llms.txt")).split(/^## /m);
    expect(before).toMatch(/^# Tandem\n\n> .+\n\n/);
    expect(before.match(/^#/gm)?.length).toBeGreaterThan(0);
    expect(before.match(/^# /gm)).toHaveLength(1);
    expect(sections.map((section) => section.split("\n")[0])).toEqual(["Documents", "Pages", "Optional"]);
    for (const section of sections) {
      // Parsers treat everything in such a section as links.
      const items = section.split("\n").slice(1).filter(Boolean);
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) expect(item).toMatch(/^- \[[^\]]+\]\(https?:\/\/[^)]+\): \S/);
    }
  });

  test("takes an agent that knows only the address to its first post", async () => {
    const [asking = "", claiming = "", byAgent = ""] = shellBlocks(await read("/llms.txt"));
    const cwd = await mkdtemp(join(tmpdir(), "tandem-llms-"));
    try {
      const { request, token } = JSON.parse(await runShell(asking, cwd));
      const claim = async () => JSON.parse(await runShell(claiming, cwd, { TANDEM_TOKEN: token }));
      expect(await claim()).toMatchObject({ state: "pending" });
      await (await tandem.as.human()).approveAgentRequest({ code: request.code });
      const { secret: key } = await claim();
      const output = await runShell(byAgent, cwd, { TANDEM_API_KEY: key });
      expect(output).toContain('"provenance":"ai_generated"');
      expect(output).toContain('"tier":"probation"');
      expect(output).not.toContain('"error"');
    } finally {
      await rm(cwd, { recursive: true });
    }
  });
});

describe("the reference", () => {
  test("is the same text at both addresses", async () => {
    expect(await read("/llms-full.txt")).toBe(await read("/developers.md"));
  });

  test("states the maximum page size of every list, and the MCP endpoint", async () => {
    const text = await read("/developers.md");
    const [, maximumOfMost] = /The maximum `limit` is (\d+) unless the list says otherwise/.exec(text) ?? [];
    for (const { name, query } of operationList) {
      const { maximum }: JsonSchemaNode = { ...query.properties.limit };
      if (maximum === undefined || maximum === Number(maximumOfMost)) continue;
      const section = text.split(/^### /m).find((part) => part.startsWith(`${name}\n`)) ?? "";
      expect(section).toMatch(new RegExp(`^- \`limit\`: .*\\b${maximum}\\b`, "m"));
    }
    expect(text).toContain(`${tandem.baseUrl}/mcp`);
  });

  test.each(operationList)("describes $name", async (op) => {
    const text = await read("/developers.md");
    const section = text.split(/^### /m).find((part) => part.startsWith(`${op.name}\n`)) ?? "";
    expect(section).toContain(`\`${op.method} ${op.path}\``);
    expect(section).toContain(op.description);
    const fields = { ...op.params.properties, ...op.query.properties, ...op.body.properties, ...op.files };
    for (const name of Object.keys(fields)) expect(section).toContain(`- \`${name}\`: `);
    if (op.access.kind === "scope") expect(section).toContain(op.access.scope);
    expect(shellBlocks(section)).toHaveLength(1);
    const responses = section.match(/^```(json|text)\n[^`]+\n```$/gm);
    expect(responses).toHaveLength(1);
    if (!op.redirects && !op.streams) {
      const response = JSON.parse(String(responses?.[0]).split("\n")[1] ?? "");
      const { required = [] }: JsonSchemaNode = op.response;
      expect(Object.keys(response).sort()).toEqual(required.toSorted());
    }
  });

  test("lists the same errors and statuses for an operation as the OpenAPI document", async () => {
    const text = await read("/developers.md");
    const reader = new OpenApiReader(JSON.parse(await read("/api/openapi.json")) as object);
    for (const { name } of operationList) {
      const section = text.split(/^### /m).find((part) => part.startsWith(`${name}\n`)) ?? "";
      const listed = /^Errors: (.*)\.$/m.exec(section)?.[1]?.split(", ") ?? [];
      for (const status of listed) {
        const [number = "", ...codes] = status.split(" ");
        const at = `${reader.response(name, Number(number))}/content/application~1json/examples`;
        const described = Object.keys(reader.at(at) as object);
        expect(codes.map((code) => code.replaceAll("`", ""))).toEqual(described);
      }
      const statuses = Object.keys(reader.at(`${reader.operations.get(name)}/responses`) as object);
      expect(listed.map((error) => error.split(" ")[0]).sort()).toEqual(
        statuses.filter((status) => Number(status) >= 400).sort(),
      );
    }
  });

  test("has a section for every error code, and every resource with its fields", async () => {
    const text = await read("/developers.md");
    for (const [code, { status, description }] of Object.entries(errors))
      expect(text).toContain(`### ${code}\n\nStatus ${status}. ${description}`);
    const { components } = JSON.parse(await read("/api/openapi.json"));
    for (const [name, { properties }] of Object.entries<{ properties: object }>(components.schemas)) {
      const section = text.split(/^### /m).find((part) => part.startsWith(`${name}\n`)) ?? "";
      for (const field of Object.keys(properties)) expect(section).toContain(`- \`${field}\`: `);
    }
  });
});

test("every document shows the limits that the administrator configured", async () => {
  const env = { LIMIT_TIERS_PROBATION_POSTS: "7", LIMIT_GRADUATION_STANDARD_DAYS: "11" };
  await using other = await startTandem("sqlite", { env: { ...defaultLimitEnv, ...env } });
  for (const path of ["/developers.md", "/llms-full.txt", "/ai-policy.md", "/ai-policy"]) {
    const text = await (await fetch(other.baseUrl + path)).text();
    expect(text).toContain("| probation | 7 | 100 |");
    expect(text).toContain("once it is 11 days old");
    expect(await read(path)).toContain("| probation | 10 | 100 |");
  }
  expect(await (await fetch(`${other.baseUrl}/llms.txt`)).text()).toContain("has 7 posts");
});

test("documents use the configured base URL", async () => {
  await using behind = await startTandem("sqlite", { env: { BASE_URL: "https://tandem.example" } });
  for (const path of [
    "/llms.txt",
    "/developers.md",
    "/ai-policy.md",
    "/robots.txt",
    "/opensearch.xml",
    "/.well-known/api-catalog",
  ]) {
    const text = await (await fetch(behind.baseUrl + path)).text();
    expect(text).toContain("https://tandem.example");
    expect(text).not.toContain("127.0.0.1");
  }
});

test("the policy is available as HTML with the same content", async () => {
  const { headers, text } = await get("/ai-policy", { accept: "text/html" });
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("vary")).toBe("Accept, Accept-Encoding");
  expect(headers.get("x-frame-options")).toBe("DENY");
  const words = (html: string) =>
    html.replace(/<(style|header)>.*<\/\1>|<[^>]+>/g, " ").match(/[\w-]+/g) ?? [];
  const markdown = await read("/ai-policy.md");
  expect(words(text).filter((word) => !markdown.includes(word) && !/^(quot|amp|39)$/.test(word))).toEqual([]);
});

describe("well-known files", () => {
  test("the catalog lists the API and its documents (RFC 9727)", async () => {
    const { linkset } = JSON.parse(await read("/.well-known/api-catalog"));
    const [catalog, api] = linkset;
    expect(catalog.item).toEqual([{ href: api.anchor }]);
    expect(api["service-desc"][0].href).toBe(`${tandem.baseUrl}/api/openapi.json`);
    const head = await fetch(`${tandem.baseUrl}/.well-known/api-catalog`, { method: "HEAD" });
    expect(head.headers.get("link")).toContain('</.well-known/api-catalog>; rel="api-catalog"');
    for (const relation of ["service-desc", "service-doc", "service-meta", "status"])
      for (const { href } of api[relation]) expect((await get(href)).status).toBe(200);
  });

  test("security.txt has a contact and expires within a year (RFC 9116)", async () => {
    const text = await read("/.well-known/security.txt");
    const fields = Object.fromEntries(
      [...text.matchAll(/^([\w-]+): (.+)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(fields.Contact).toBe("mailto:porter@tandem.example");
    expect(fields.Canonical).toBe(`${tandem.baseUrl}/.well-known/security.txt`);
    const days = (Date.parse(String(fields.Expires)) - Date.now()) / DAY;
    expect(days).toBeGreaterThan(250);
    expect(days).toBeLessThan(365);
  });

  test("security.txt doesn't exist without a configured contact", async () => {
    await using withoutContact = await startTandem();
    const response = await fetch(`${withoutContact.baseUrl}/.well-known/security.txt`);
    expect([response.status, await response.json()]).toMatchObject([404, { code: "not_found" }]);
  });

  test("robots.txt disallows only redirects that count clicks", async () => {
    const rules = (await read("/robots.txt")).split("\n").filter((line) => /^(Dis)?allow/i.test(line));
    expect(rules).toEqual(["Allow: /", "Disallow: /out/"]);
  });
});

test("every response links to the documents", async () => {
  const relations = ['</llms.txt>; rel="describedby"', 'rel="service-desc"', 'rel="service-doc"'];
  for (const path of ["/api/posts", "/api/posts/0", "/api/auth/me", "/nowhere", "/", "/llms.txt"]) {
    const { headers } = await get(path);
    for (const relation of relations) expect(headers.get("link")).toContain(relation);
  }
});

function shellBlocks(text: string): string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => String(block));
}
