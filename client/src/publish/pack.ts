import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { routes } from "@tandem/contract/routes";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The published packages: the contract, the client, whose types come from it, and the MCP server. */
const packages = ["contract", "client", "mcp"];

/**
 * Creates a tarball of each package, ready for `npm publish`, in the directory, and returns their paths. The tarballs contain
 * JavaScript and declarations; in this repository, the sources run as they are.
 */
export async function pack(destination: string): Promise<string[]> {
  const stage = await mkdtemp(join(tmpdir(), "tandem-pack-"));
  try {
    await compile(join(stage, "compiled"));
    await mkdir(destination, { recursive: true });
    for (const name of packages) {
      const folder = join(stage, name);
      await cp(join(stage, "compiled", name, "src"), join(folder, "dist"), { recursive: true });
      if (name === "contract") await writeRoutes(join(folder, "dist"));
      await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
      await cp(join(root, name, "README.md"), join(folder, "README.md"));
      await writeFile(join(folder, "package.json"), JSON.stringify(await published(name), null, 2));
    }
    const folders = packages.map((name) => join(stage, name));
    const { stdout } = await execute("npm", [
      "pack",
      "--json",
      "--pack-destination",
      destination,
      ...folders,
    ]);
    return (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => join(destination, filename));
  } finally {
    await rm(stage, { recursive: true });
  }
}

async function compile(outDir: string): Promise<void> {
  const tsc = join(root, "node_modules", ".bin", "tsc");
  // Several checkers share little, so together they take twice the processor time.
  await execute(tsc, ["-p", join(root, "tsconfig.publish.json"), "--outDir", outDir, "--singleThreaded"]);
  for (const name of await readdir(outDir, { recursive: true }))
    if (name.endsWith(".d.ts")) await pointAtJavaScript(join(outDir, name));
}

/** The compiler leaves `.ts` in the import paths of declarations, which not every tool resolves. */
async function pointAtJavaScript(path: string): Promise<void> {
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace(/((?:from |import\()"\.[^"]*)\.ts"/g, '$1.js"'));
}

/** Whether a route's value is what most routes have. To clients, false flags are the same as undefined ones. */
const isUsual = (value: unknown) => value === false || JSON.stringify(value) === "{}";

/**
 * Writes the table of routes as plain data, so that clients load neither schemas nor the schema library. It is short, because browsers
 * load it: a line for each operation with what most have, a path below `/api/` without that, the field with the paged list, and the rest as JSON.
 */
function writeRoutes(dist: string): Promise<void> {
  const lines = Object.entries(routes).map(
    ([name, { method, path, query, body, keyed, pages, ...route }]) => {
      const more = Object.entries(route).filter(([, value]) => !isUsual(value));
      const at = [method + (keyed ? "*" : ""), name, path.replace(/^\/api\//, ""), ...query].join(" ");
      const parts = [
        at,
        body.join(" "),
        pages ?? "",
        more.length > 0 ? JSON.stringify(Object.fromEntries(more)) : "",
      ];
      return parts.join("|").replace(/\|+$/, "");
    },
  );
  // Sorted by method, they compress best. A line has it only if it isn't that of the line before.
  lines.sort();
  const methodOf = (line = "") => line.slice(0, line.indexOf(" "));
  const short = lines.map((line, i) =>
    methodOf(line) === methodOf(lines[i - 1]) ? line.slice(methodOf(line).length) : line,
  );
  const code = `export const routes = {};
let last;
for (const line of ${JSON.stringify(short.join("\n"))}.split("\\n")) {
  const [at, body, pages, more] = line.split("|");
  const [how, name, path, ...query] = at.split(" ");
  const [method, keyed] = (last = how || last).split("*");
  routes[name] = {
    files: {},
    ...(more && JSON.parse(more)),
    method,
    keyed: keyed === "",
    path: path[0] === "/" ? path : "/api/" + path,
    query,
    pages: pages || null,
    body: body ? body.split(" ") : [],
  };
}
`;
  return writeFile(join(dist, "routes.js"), code);
}

/** The manifest for the tarball, with the values of `publishConfig`. */
async function published(name: string): Promise<object> {
  const text = await readFile(join(root, name, "package.json"), "utf8");
  const { private: _, publishConfig, ...manifest } = JSON.parse(text);
  return { ...manifest, ...publishConfig };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log((await pack(resolve(process.argv[2] ?? "dist"))).join("\n"));
