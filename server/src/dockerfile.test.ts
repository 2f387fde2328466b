import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), "utf8");

test("the Dockerfile copies all dependency manifests before npm ci, and sources after it", () => {
  const [before = ""] = read("Dockerfile").split("RUN npm ci");
  const { workspaces } = JSON.parse(read("package.json")) as { workspaces: string[] };
  const files = ["package.json", "package-lock.json", ".npmrc"].filter((name) =>
    existsSync(new URL(name, root)),
  );
  expect(before).toContain(`COPY ${files.join(" ")} ./`);
  const copied = [...before.matchAll(/^COPY (\w+)\/package\.json \1\/$/gm)].map(([, name]) => name);
  expect(copied).toEqual(workspaces.toSorted());
});

test("secrets, data and build output aren't copied into an image", () => {
  const left = read(".dockerignore").split("\n");
  expect(left).toEqual(expect.arrayContaining([".env", "data", ".git", "**/node_modules", "**/dist"]));
});
