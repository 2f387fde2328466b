import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { debianPackages } from "./programs.ts";
import { startArguments } from "./start-arguments.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test(".editorconfig agrees with the formatter", () => {
  const { indentStyle, indentWidth, lineWidth } = JSON.parse(read("biome.json")).formatter;
  const settings = read(".editorconfig").split("\n");
  expect(settings).toContain(`indent_style = ${indentStyle}`);
  expect(settings).toContain(`indent_size = ${indentWidth}`);
  expect(settings).toContain(`max_line_length = ${lineWidth}`);
});

test(".nvmrc and the development container name the Node.js that npm installs", () => {
  const version = read(".nvmrc").trim();
  expect(container().image).toBe(`mcr.microsoft.com/devcontainers/typescript-node:${version}-bookworm`);
  for (const [name, range] of Object.entries<string>(
    JSON.parse(read("package.json")).optionalDependencies ?? {},
  ))
    if (/^node-/.test(name)) expect([name, range.split(".")[0]]).toEqual([name, version]);
});

test("npm installs one version of Node.js everywhere, and on Linux only where its C library fits", () => {
  const wanted: Record<string, string> = JSON.parse(read("package.json")).optionalDependencies;
  expect(new Set(Object.values(wanted)).size).toBe(1);
  const { packages } = JSON.parse(read("package-lock.json"));
  for (const name of Object.keys(wanted)) {
    // npm keeps `libc` in the lock file but can't determine it for these packages (decision 84). Add it again if this fails.
    const libc = name.includes("linux") ? ["glibc"] : undefined;
    expect({ name, libc: packages[`node_modules/${name}`].libc }).toEqual({ name, libc });
  }
});

test("the image and the systemd unit run the service as npm start does", () => {
  const main = "server/dist/main.js";
  expect(startArguments.length).toBeGreaterThan(0);
  expect(read("Dockerfile")).toContain(
    `\nCMD ${JSON.stringify(["node", ...startArguments, main]).replaceAll(",", ", ")}\n`,
  );
  const command = ["/opt/tandem/node_modules/.bin/node", ...startArguments, main].join(" ");
  expect(read("docs/deploy/tandem.service")).toContain(`\nExecStart=${command}\n`);
});

test("the lock file contains the native packages of every library for every system", () => {
  type Locked = { optionalDependencies?: Record<string, string> };
  const packages: Record<string, Locked> = JSON.parse(read("package-lock.json")).packages;
  const locked = new Set(Object.keys(packages).map((path) => path.split("node_modules/").at(-1)));
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !locked.has(name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

test("the development container installs the programs that tests run", () => {
  const installed = container().onCreateCommand.split("--no-install-recommends ")[1]?.split(" ");
  expect(installed?.sort()).toEqual(debianPackages.toSorted());
});

/** JSON with comments on lines of their own. */
function container(): { image: string; onCreateCommand: string } {
  return JSON.parse(read(".devcontainer/devcontainer.json").replace(/^\s*\/\/.*$/gm, ""));
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
