import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type LayerName, layers } from "./architecture.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const packages = ["contract", "server", "client", "mcp", "web", "testing", "bench", "seed"];
/** Paths of all files in the packages' sources. */
const sources = packages.flatMap((name) => [...filesBelow(`${name}/src`), ...filesBelow(`${name}/bin`)]);
const documents = [
  ...filesIn("docs").map((name) => `docs/${name}`),
  ...packages.map((name) => `${name}/README.md`),
  ...filesIn("server/src").map((name) => `server/src/${name}`),
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
];

test.each(documents)("the links in %s work", (path) => {
  const broken = [...read(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].filter(
    ([, file, part]) => {
      const target = file ? join(dirname(path), file) : path;
      return !existsSync(join(root, target)) || (part !== undefined && !headings(target).includes(part));
    },
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});

const explained = documents.filter(
  (path) => path === "docs/architecture.md" || /^\w+\/.*README\.md$/.test(path),
);

test.each(explained)("the files named in %s exist", (path) => {
  const named = [...read(path).matchAll(/`([\w./-]+\.(?:tsx?|mjs|css|jsonl))`/g)].map(
    ([, name]) => `/${name}`,
  );
  const missing = named.filter((name) => !sources.some((file) => `/${file}`.endsWith(name)));
  expect(missing).toEqual([]);
});

test.each(packages.filter((name) => name !== "server"))(
  "the README of %s lists what it may import",
  (name) => {
    const layer = Object.keys(layers).find((one) => one === name) as LayerName;
    const imports = new Set(layers[layer].mayImport.map(packageOf));
    const list = packages.filter((one) => imports.has(one) && one !== name);
    const listed = /^May import from Tandem: (.*)\.$/m.exec(read(`${name}/README.md`))?.[1];
    expect(listed?.split(", ").sort()).toEqual(list.length > 0 ? list.sort() : ["nothing"]);
  },
);

test("the server's README lists what each layer may import, with all features as one layer", () => {
  const inServer = new Map(
    (Object.keys(layers) as LayerName[])
      .filter((name) => packageOf(name) === "server")
      .map((name) => [groupOf(name), layers[name]]),
  );
  const rows = [...read("server/README.md").matchAll(/^\| (\w+) \| (`.*`) \| .* \| (.*) \|$/gm)];
  const listed = rows.map(([, name, at, imports]) => ({ name, at, imports }));
  expect(listed).toEqual(
    [...inServer].map(([name, { at, mayImport }]) => ({
      name,
      at:
        name === "features"
          ? "`features/`"
          : at.map((path) => `\`${path.slice("server/src/".length)}\``).join(", "),
      imports: [...new Set(mayImport.map(groupOf))].filter((one) => one !== name).join(", "),
    })),
  );
});

test("each library that a package depends on has a decision record", () => {
  const records = filesIn("docs/decisions")
    .map((name) => read(`docs/decisions/${name}`))
    .join("\n")
    .toLowerCase();
  const libraries = [".", ...packages].flatMap((name) => {
    const { dependencies, devDependencies } = JSON.parse(read(join(name, "package.json")));
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  const needReasons = libraries.filter((name) => !/^@(tandem|types)\/|^typescript$/.test(name));
  expect(needReasons.filter((name) => !records.includes(name.replace("@biomejs/", "")))).toEqual([]);
});

/** "features" for any feature; otherwise the layer's own name. */
function groupOf(layer: LayerName): string {
  return layer.startsWith("features/") ? "features" : layer;
}

function packageOf(layer: LayerName): string {
  return String(layers[layer].at[0]?.split("/")[0]);
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
    (path) => `${folder}/${path.split(sep).join("/")}`,
  );
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Anchors of a document's headings, as GitHub makes them. */
function headings(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    String(text)
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}
