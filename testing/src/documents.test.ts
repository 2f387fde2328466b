import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type RoomName, rooms } from "./architecture.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const packages = ["contract", "server", "client", "mcp", "web", "testing", "bench"];
const documents = [
  ...filesIn("docs").map((name) => `docs/${name}`),
  ...packages.map((name) => `${name}/README.md`),
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
];

test.each(documents)("%s links to what is there", (path) => {
  const broken = [...read(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].filter(
    ([, file, part]) => {
      const target = file ? join(dirname(path), file) : path;
      return !existsSync(join(root, target)) || (part !== undefined && !headings(target).includes(part));
    },
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});

test.each(packages.filter((name) => name !== "server"))("%s's README says what it may import", (name) => {
  const room = Object.keys(rooms).find((one) => one === name) as RoomName;
  const imports = new Set(rooms[room].mayImport.map(packageOf));
  const list = packages.filter((one) => imports.has(one));
  const said = /^May import, of ours: (.*)\.$/m.exec(read(`${name}/README.md`))?.[1];
  expect(said?.split(", ").sort()).toEqual(list.length > 0 ? list.sort() : ["nothing"]);
});

test("the server's README says what each of its rooms may import", () => {
  const inServer = (Object.keys(rooms) as RoomName[]).filter((name) => packageOf(name) === "server");
  const rows = [...read("server/README.md").matchAll(/^\| (\w+) \| (`.*`) \| .* \| (.*) \|$/gm)];
  const told = rows.map(([, name, at, imports]) => ({ name, at, imports }));
  expect(told).toEqual(
    inServer.map((name) => ({
      name,
      at: rooms[name].at.map((path) => `\`${path.slice("server/src/".length)}\``).join(", "),
      imports: rooms[name].mayImport.join(", "),
    })),
  );
});

test("each library that something of ours depends on has its decision", () => {
  const told = filesIn("docs/decisions")
    .map((name) => read(`docs/decisions/${name}`))
    .join("\n")
    .toLowerCase();
  const libraries = [".", ...packages].flatMap((name) => {
    const { dependencies, devDependencies } = JSON.parse(read(join(name, "package.json")));
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  const needReasons = libraries.filter((name) => !/^@(tandem|types)\/|^typescript$/.test(name));
  expect(needReasons.filter((name) => !told.includes(name.replace("@biomejs/", "")))).toEqual([]);
});

function packageOf(room: RoomName): string {
  return String(rooms[room].at[0]?.split("/")[0]);
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** As GitHub names a document's headings in links. */
function headings(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    String(text)
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}
