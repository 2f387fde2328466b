import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  findCycles,
  findViolations,
  importsOf,
  type LayerName,
  layers,
  type Module,
} from "./architecture.ts";
import { findForeignWrites } from "./table-owners.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = readModules();
const layerNames = Object.keys(layers) as LayerName[];

describe("the code base", () => {
  test("imports only what its layers allow, without cycles", () => {
    expect(modules.length).toBeGreaterThan(50);
    expect(findViolations(modules)).toEqual([]);
  });

  test("has no cycle between layers, features or the web app's folders", () => {
    const allowed = layerNames.flatMap((from) =>
      layers[from].mayImport.map((to) => ({ from, to, ours: true, typeOnly: false })),
    );
    expect(findCycles(allowed)).toEqual([]);
  });

  test("every folder of features and of the web app is a layer", () => {
    const nested = /^(?:server\/src\/features|web\/src\/areas|web\/src(?!\/areas))\/[^/]+\/(?=.)/;
    const folders = new Set(modules.flatMap(({ path }) => nested.exec(path) ?? []));
    const listed: string[] = layerNames.flatMap((name) => layers[name].at);
    expect([...folders].filter((folder) => !listed.includes(folder))).toEqual([]);
  });

  test("writes each table only where its owner allows it", () => {
    expect(findForeignWrites(modules)).toEqual([]);
  });

  test("every library is declared in the package that imports it", () => {
    const undeclared = modules
      .flatMap(importsOf)
      .filter((one) => !one.ours && !one.to.startsWith("node:") && !declared(one.from).has(one.to))
      .map((one) => `${one.from} imports ${one.to}`);
    expect(undeclared).toEqual([]);
  });

  test("every import resolves", () => {
    const paths = new Set(modules.map((one) => one.path));
    const unresolved = modules.flatMap(importsOf).filter((one) => one.ours && !paths.has(one.to));
    expect(unresolved).toEqual([]);
  });
});

/** The check must find each kind of violation; otherwise passing would mean nothing. */
describe("the check", () => {
  const violations: [string, Module[], string][] = [
    [
      "an import of a higher layer",
      [file("server/src/http/route.ts", `import { posts } from "../features/posts/posts.queries.ts";`)],
      "server/src/http/route.ts (http) imports server/src/features/posts/posts.queries.ts (features/posts)",
    ],
    [
      "a type-only import of a higher layer",
      [file("server/src/storage/schema.ts", `import type { Caller } from "../http/caller.ts";`)],
      "server/src/storage/schema.ts (storage) imports server/src/http/caller.ts (http)",
    ],
    [
      "a feature that imports a higher one",
      [file("server/src/features/accounts/email.ts", `import { keys } from "../keys/keys.ts";`)],
      "server/src/features/accounts/email.ts (features/accounts) imports server/src/features/keys/keys.ts (features/keys)",
    ],
    [
      "an area of the web app that imports another",
      [file("web/src/areas/shop/shop.tsx", `import { Feed } from "../feed/pages.tsx";`)],
      "web/src/areas/shop/shop.tsx (areas/shop) imports web/src/areas/feed/pages.tsx (areas/feed)",
    ],
    [
      "an import of another package's layer",
      [file("client/src/client.ts", `import {\n  createApp,\n  listen,\n} from "@tandem/server/app";`)],
      "client/src/client.ts (client) imports server/src/app.ts (app)",
    ],
    [
      "a dynamic import",
      [file("server/src/discovery/openapi.ts", `const late = await import("../features/posts/feed.ts");`)],
      "server/src/discovery/openapi.ts (discovery) imports server/src/features/posts/feed.ts (features/posts)",
    ],
    [
      "the table of handlers outside the app",
      [file("server/src/features/posts/posts.queries.ts", `export * from "../handlers.ts";`)],
      "server/src/features/posts/posts.queries.ts (features/posts) imports server/src/features/handlers.ts (handlers)",
    ],
    [
      "a request past the outgoing client",
      [file("server/src/features/posts/posts.queries.ts", "await fetch(post.url);")],
      "server/src/features/posts/posts.queries.ts (features/posts) makes a request without outgoing",
    ],
    [
      "a library restricted to another layer",
      [file("server/src/features/live/live.ts", `import Fastify from "fastify";`)],
      "server/src/features/live/live.ts (features/live) imports the library fastify",
    ],
    [
      "a framework in the contract",
      [file("contract/src/limits.ts", `import "node:fs";`)],
      "contract/src/limits.ts (contract) imports the library node:fs",
    ],
    [
      "an engine's name",
      [file("server/src/features/live/live.ts", `if (engine.name === "sqlite") dance();`)],
      "server/src/features/live/live.ts (features/live) names a database engine",
    ],
    [
      "a module outside every layer",
      [file("server/src/helpers.ts", "")],
      "server/src/helpers.ts belongs to no layer",
    ],
    [
      "a cycle",
      [
        file("server/src/http/a.ts", `import { b } from "./b.ts";`),
        file("server/src/http/b.ts", `import { c } from "./c.ts";`),
        file("server/src/http/c.ts", `import { a } from "./a.ts";`),
      ],
      "server/src/http/a.ts → server/src/http/b.ts → server/src/http/c.ts → server/src/http/a.ts is a cycle",
    ],
  ];

  test.each(violations)("finds %s", (_what, modules, violation) => {
    expect(findViolations(modules)).toEqual([violation]);
  });

  test("finds a write to another feature's table", () => {
    const written = file("server/src/features/shop/shop.ts", `await tx.deleteFrom("drafts").execute();`);
    expect(findForeignWrites([written])).toContain(
      "server/src/features/shop/shop.ts (features/shop) writes drafts, which features/publishing owns",
    );
  });

  test("allows type cycles and imports of lower layers", () => {
    const written = [
      file("server/src/http/a.ts", `import type { B } from "./b.ts";\nimport { sql } from "kysely";`),
      file(
        "server/src/http/b.ts",
        `import { a } from "./a.ts";\nimport { limits } from "@tandem/contract/limits";`,
      ),
    ];
    expect(findViolations(written)).toEqual([]);
  });
});

function file(path: string, source: string): Module {
  return { path, source };
}

/** Every module except tests. */
function readModules(): Module[] {
  return ["contract", "client", "mcp", "web", "server", "testing", "bench", "seed"].flatMap((layer) =>
    readdirSync(join(root, layer, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => `${layer}/src/${name.split(sep).join("/")}`)
      .map((path) => file(path, readFileSync(join(root, path), "utf8"))),
  );
}

/** Names of a package's declared dependencies. */
function declared(path: string): Set<string> {
  const manifest = JSON.parse(readFileSync(join(root, String(path.split("/")[0]), "package.json"), "utf8"));
  return new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
}
