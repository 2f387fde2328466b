import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { importsOf, judge, type Module } from "./architecture.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = readModules();

describe("the house as it stands", () => {
  test("keeps its arrows pointing down, without a circle", () => {
    expect(modules.length).toBeGreaterThan(50);
    expect(judge(modules)).toEqual([]);
  });

  test("every module says which libraries it needs in its own package", () => {
    const undeclared = modules
      .flatMap(importsOf)
      .filter((one) => !one.ours && !one.to.startsWith("node:") && !declared(one.from).has(one.to))
      .map((one) => `${one.from} imports ${one.to}`);
    expect(undeclared).toEqual([]);
  });

  test("no import points at nothing", () => {
    const known = new Set(modules.map((one) => one.path));
    const lost = modules.flatMap(importsOf).filter((one) => one.ours && !known.has(one.to));
    expect(lost).toEqual([]);
  });
});

/** The judge must be able to find fault, or its silence says nothing. */
describe("the judge", () => {
  const faults: [string, Module[], string][] = [
    [
      "an arrow that points up",
      [file("server/src/http/route.ts", `import { posts } from "../features/posts/posts.ts";`)],
      "server/src/http/route.ts (http) imports server/src/features/posts/posts.ts (features)",
    ],
    [
      "an arrow that points up for a type alone",
      [file("server/src/storage/schema.ts", `import type { Caller } from "../http/caller.ts";`)],
      "server/src/storage/schema.ts (storage) imports server/src/http/caller.ts (http)",
    ],
    [
      "an arrow to another room's package",
      [file("client/src/client.ts", `import {\n  createApp,\n  listen,\n} from "@tandem/server/app";`)],
      "client/src/client.ts (client) imports server/src/app.ts (app)",
    ],
    [
      "a late import",
      [file("server/src/discovery/openapi.ts", `const late = await import("../features/posts/feed.ts");`)],
      "server/src/discovery/openapi.ts (discovery) imports server/src/features/posts/feed.ts (features)",
    ],
    [
      "the table of handlers outside the app",
      [file("server/src/features/posts/posts.ts", `export * from "../handlers.ts";`)],
      "server/src/features/posts/posts.ts (features) imports server/src/features/handlers.ts (handlers)",
    ],
    [
      "a request past the outgoing client",
      [file("server/src/features/posts/posts.ts", "await fetch(post.url);")],
      "server/src/features/posts/posts.ts (features) asks others past outgoing",
    ],
    [
      "a library that another room keeps to itself",
      [file("server/src/features/live/live.ts", `import Fastify from "fastify";`)],
      "server/src/features/live/live.ts (features) imports the library fastify",
    ],
    [
      "a framework in the contract",
      [file("contract/src/limits.ts", `import "node:fs";`)],
      "contract/src/limits.ts (contract) imports the library node:fs",
    ],
    [
      "an engine's name",
      [file("server/src/features/live/live.ts", `if (engine.name === "sqlite") dance();`)],
      "server/src/features/live/live.ts (features) names an engine",
    ],
    ["a module without a room", [file("server/src/helpers.ts", "")], "server/src/helpers.ts lies in no room"],
    [
      "a circle",
      [
        file("server/src/http/a.ts", `import { b } from "./b.ts";`),
        file("server/src/http/b.ts", `import { c } from "./c.ts";`),
        file("server/src/http/c.ts", `import { a } from "./a.ts";`),
      ],
      "server/src/http/a.ts → server/src/http/b.ts → server/src/http/c.ts → server/src/http/a.ts is a circle",
    ],
  ];

  test.each(faults)("finds %s", (_what, made, complaint) => {
    expect(judge(made)).toEqual([complaint]);
  });

  test("lets types refer to one another, and rooms import downwards", () => {
    const made = [
      file("server/src/http/a.ts", `import type { B } from "./b.ts";\nimport { sql } from "kysely";`),
      file(
        "server/src/http/b.ts",
        `import { a } from "./a.ts";\nimport { limits } from "@tandem/contract/limits";`,
      ),
    ];
    expect(judge(made)).toEqual([]);
  });
});

function file(path: string, source: string): Module {
  return { path, source };
}

/** Every module of ours that runs outside tests. */
function readModules(): Module[] {
  return ["contract", "client", "mcp", "web", "server", "testing", "bench"].flatMap((room) =>
    readdirSync(join(root, room, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => `${room}/src/${name.split(sep).join("/")}`)
      .map((path) => file(path, readFileSync(join(root, path), "utf8"))),
  );
}

/** The names in a package's own list of dependencies. */
function declared(path: string): Set<string> {
  const manifest = JSON.parse(readFileSync(join(root, String(path.split("/")[0]), "package.json"), "utf8"));
  return new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
}
