import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errors } from "@tandem/contract/errors";
import type { JsonSchemaNode } from "@tandem/contract/facts";
import { operationList } from "@tandem/contract/operations";
import { runShell } from "@tandem/testing/shell";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limitSettings } from "../settings.ts";
import { Reader } from "./reader.ts";

/** The limits that hold where nobody sets others. */
const asShipped = Object.fromEntries(limitSettings().map(({ name }) => [name, ""]));

let tandem: Tandem;
beforeAll(async () => {
  tandem = await startTandem("sqlite", { env: { ...asShipped, SECURITY_CONTACT: "porter@tandem.example" } });
});
afterAll(() => tandem.stop());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(new URL(path, tandem.baseUrl), { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const read = async (path: string) => (await get(path)).text;

const types = {
  "/llms.txt": "text/plain; charset=utf-8",
  "/llms-full.txt": "text/plain; charset=utf-8",
  "/developers.md": "text/markdown; charset=utf-8",
  "/ai-policy": "text/markdown; charset=utf-8",
  "/ai-policy.md": "text/markdown; charset=utf-8",
  "/robots.txt": "text/plain; charset=utf-8",
  "/.well-known/security.txt": "text/plain; charset=utf-8",
  "/.well-known/api-catalog": 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  "/api/openapi.json": "application/json; charset=utf-8",
};

describe.each(Object.entries(types))("%s", (path, type) => {
  test("comes with its type and an ETag, and not twice", async () => {
    const { status, headers, text } = await get(path);
    expect([status, headers.get("content-type")]).toEqual([200, type]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(text).not.toMatch(/undefined|\[object|NaN|tandem_live_\w{20}/);
    const etag = String(headers.get("etag"));
    expect((await get(path, { "if-none-match": etag })).status).toBe(304);
    const head = await fetch(tandem.baseUrl + path, { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
  });

  test("links only to what is there", async () => {
    const prose = (await read(path)).replace(/^```.*?^```$/gms, "");
    const links = prose.match(/https?:\/\/[^\s"'`<>)\]}]*[^\s"'`<>)\]},;.:]/g) ?? [];
    const local = [...new Set(links)].filter((link) => link.startsWith(tandem.baseUrl));
    const found = await Promise.all(local.map(async (link) => [link, (await get(link)).status]));
    // The tools are there too, for who sends them a message.
    expect(found).toEqual(local.map((link) => [link, link.endsWith("/mcp") ? 405 : 200]));
  });
});

describe("llms.txt", () => {
  test("has the form that readers of such files know", async () => {
    const [before = "", ...sections] = (await read("/llms.txt")).split(/^## /m);
    expect(before).toMatch(/^# Tandem\n\n> .+\n\n/);
    expect(before.match(/^#/gm)?.length).toBeGreaterThan(0);
    expect(before.match(/^# /gm)).toHaveLength(1);
    expect(sections.map((section) => section.split("\n")[0])).toEqual(["Documents", "Pages", "Optional"]);
    for (const section of sections) {
      // Readers take all that stands under such a heading for links.
      const items = section.split("\n").slice(1).filter(Boolean);
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) expect(item).toMatch(/^- \[[^\]]+\]\(https?:\/\/[^)]+\): \S/);
    }
  });

  test("leads an agent with nothing but the address to its first post", async () => {
    const [byPerson = "", byAgent = ""] = shellBlocks(await read("/llms.txt"));
    const cwd = await mkdtemp(join(tmpdir(), "tandem-llms-"));
    try {
      const key = /"secret":"([^"]+)"/.exec(await runShell(byPerson, cwd))?.[1];
      const told = await runShell(byAgent, cwd, { TANDEM_API_KEY: key });
      expect(told).toContain('"provenance":"ai_generated"');
      expect(told).toContain('"tier":"probation"');
      expect(told).not.toContain('"error"');
    } finally {
      await rm(cwd, { recursive: true });
    }
  });

  test("costs an agent few tokens", async () => {
    expect((await read("/llms.txt")).length / 4).toBeLessThan(800);
  });
});

describe("the reference", () => {
  test("is one text at two addresses", async () => {
    expect(await read("/llms-full.txt")).toBe(await read("/developers.md"));
  });

  test("says how long any list's page may be, and where the tools are", async () => {
    const text = await read("/developers.md");
    const [, most] =
      /`limit`, where a list takes it, is (\d+) at most, or what the list says/.exec(text) ?? [];
    for (const { name, query } of operationList) {
      const { maximum }: JsonSchemaNode = { ...query.properties.limit };
      if (maximum === undefined || maximum === Number(most)) continue;
      const section = text.split(/^### /m).find((one) => one.startsWith(`${name}\n`)) ?? "";
      expect(section).toMatch(new RegExp(`^- \`limit\`: .*\\b${maximum}\\b`, "m"));
    }
    expect(text).toContain(`${tandem.baseUrl}/mcp`);
  });

  test.each(operationList)("tells all of $name", async (op) => {
    const text = await read("/developers.md");
    const section = text.split(/^### /m).find((one) => one.startsWith(`${op.name}\n`)) ?? "";
    expect(section).toContain(`\`${op.method} ${op.path}\``);
    expect(section).toContain(op.description);
    const fields = { ...op.params.properties, ...op.query.properties, ...op.body.properties, ...op.files };
    for (const name of Object.keys(fields)) expect(section).toContain(`- \`${name}\`: `);
    if (op.access.kind === "scope") expect(section).toContain(op.access.scope);
    expect(shellBlocks(section)).toHaveLength(1);
    const answers = section.match(/^```(json|text)\n[^`]+\n```$/gm);
    expect(answers).toHaveLength(1);
    if (!op.redirects && !op.streams) {
      const answer = JSON.parse(String(answers?.[0]).split("\n")[1] ?? "");
      const { required = [] }: JsonSchemaNode = op.answer;
      expect(Object.keys(answer).sort()).toEqual(required.toSorted());
    }
  });

  test("lists the same errors for an operation as the machine description, each with its status", async () => {
    const text = await read("/developers.md");
    const reader = new Reader(JSON.parse(await read("/api/openapi.json")) as object);
    for (const { name } of operationList) {
      const section = text.split(/^### /m).find((one) => one.startsWith(`${name}\n`)) ?? "";
      const told = /^Errors: (.*)\.$/m.exec(section)?.[1]?.split(", ") ?? [];
      for (const status of told) {
        const [number = "", ...codes] = status.split(" ");
        const at = `${reader.response(name, Number(number))}/content/application~1json/examples`;
        const described = Object.keys(reader.at(at) as object);
        expect(codes.map((code) => code.replaceAll("`", ""))).toEqual(described);
      }
      const statuses = Object.keys(reader.at(`${reader.operations.get(name)}/responses`) as object);
      expect(told.map((one) => one.split(" ")[0]).sort()).toEqual(
        statuses.filter((status) => Number(status) >= 400).sort(),
      );
    }
  });

  test("has what each error leads to, and every resource with its fields", async () => {
    const text = await read("/developers.md");
    for (const [code, { status, description }] of Object.entries(errors))
      expect(text).toContain(`### ${code}\n\nStatus ${status}. ${description}`);
    const { components } = JSON.parse(await read("/api/openapi.json"));
    for (const [name, { properties }] of Object.entries<{ properties: object }>(components.schemas)) {
      const section = text.split(/^### /m).find((one) => one.startsWith(`${name}\n`)) ?? "";
      for (const field of Object.keys(properties)) expect(section).toContain(`- \`${field}\`: `);
    }
  });
});

test("limits that an operator changes change in every document", async () => {
  const env = { LIMIT_TIERS_PROBATION_POSTS: "7", LIMIT_GRADUATION_STANDARD_DAYS: "11" };
  await using other = await startTandem("sqlite", { env: { ...asShipped, ...env } });
  for (const path of ["/developers.md", "/llms-full.txt", "/ai-policy.md", "/ai-policy"]) {
    const text = await (await fetch(other.baseUrl + path)).text();
    expect(text).toContain("| probation | 7 | 100 |");
    expect(text).toContain("once it is 11 days old");
    expect(await read(path)).toContain("| probation | 10 | 100 |");
  }
  expect(await (await fetch(`${other.baseUrl}/llms.txt`)).text()).toContain("has 7 posts");
});

test("documents speak of the address that the world knows", async () => {
  await using behind = await startTandem("sqlite", { env: { BASE_URL: "https://tandem.example" } });
  for (const path of [
    "/llms.txt",
    "/developers.md",
    "/ai-policy.md",
    "/robots.txt",
    "/.well-known/api-catalog",
  ]) {
    const text = await (await fetch(behind.baseUrl + path)).text();
    expect(text).toContain("https://tandem.example");
    expect(text).not.toContain("127.0.0.1");
  }
});

test("the policy is HTML for people, and says the same", async () => {
  const { headers, text } = await get("/ai-policy", { accept: "text/html" });
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("vary")).toBe("Accept");
  expect(headers.get("x-frame-options")).toBe("DENY");
  const words = (html: string) => html.replace(/<style>.*<\/style>|<[^>]+>/g, " ").match(/[\w-]+/g) ?? [];
  const markdown = await read("/ai-policy.md");
  expect(words(text).filter((word) => !markdown.includes(word) && !/^(quot|amp|39)$/.test(word))).toEqual([]);
  for (const { access, method, path } of operationList)
    expect(markdown.includes(`- \`${method} ${path}\``)).toBe(access.kind === "session");
});

describe("well-known files", () => {
  test("the catalog names the API and its documents (RFC 9727)", async () => {
    const { linkset } = JSON.parse(await read("/.well-known/api-catalog"));
    const [catalog, api] = linkset;
    expect(catalog.item).toEqual([{ href: api.anchor }]);
    expect(api["service-desc"][0].href).toBe(`${tandem.baseUrl}/api/openapi.json`);
    const head = await fetch(`${tandem.baseUrl}/.well-known/api-catalog`, { method: "HEAD" });
    expect(head.headers.get("link")).toContain('</.well-known/api-catalog>; rel="api-catalog"');
    for (const relation of ["service-desc", "service-doc", "service-meta", "status"])
      for (const { href } of api[relation]) expect((await get(href)).status).toBe(200);
  });

  test("security.txt names a contact, and a day within a year (RFC 9116)", async () => {
    const text = await read("/.well-known/security.txt");
    const fields = Object.fromEntries(
      [...text.matchAll(/^([\w-]+): (.+)$/gm)].map(([, name, value]) => [name, value]),
    );
    expect(fields.Contact).toBe("mailto:porter@tandem.example");
    expect(fields.Canonical).toBe(`${tandem.baseUrl}/.well-known/security.txt`);
    const days = (Date.parse(String(fields.Expires)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(250);
    expect(days).toBeLessThan(365);
  });

  test("without a contact there is no security.txt", async () => {
    await using silent = await startTandem();
    const answer = await fetch(`${silent.baseUrl}/.well-known/security.txt`);
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: "not_found" }]);
  });

  test("robots.txt keeps crawlers from what counts, and from nothing else", async () => {
    const rules = (await read("/robots.txt")).split("\n").filter((line) => /^(Dis)?allow/i.test(line));
    expect(rules).toEqual(["Allow: /", "Disallow: /out/"]);
  });
});

test("every answer says where the documents are", async () => {
  const relations = ['</llms.txt>; rel="describedby"', 'rel="service-desc"', 'rel="service-doc"'];
  for (const path of ["/api/posts", "/api/posts/0", "/api/auth/me", "/nowhere", "/", "/llms.txt"]) {
    const { headers } = await get(path);
    for (const relation of relations) expect(headers.get("link")).toContain(relation);
  }
});

function shellBlocks(text: string): string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => String(block));
}
