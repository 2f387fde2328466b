import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { defaultLimits } from "@tandem/contract/tiers";
import { typesOf } from "@tandem/testing/openapi-types";
import { expect, test } from "vitest";
import { openApi } from "./openapi.ts";

/** Third-party tools can use the document; validity alone doesn't ensure that. */
const document = openApi("https://tandem.dev", defaultLimits);

test("passes a linter without warnings", async () => {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const lint = async (source: object) =>
    (await lintFromString({ source: JSON.stringify(source), config })).map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`,
    );
  expect(await lint(document)).toEqual([]);
  expect(await lint({ ...document, tags: [{ name: "Posts" }] })).not.toEqual([]);
});

/** A program that uses the types: correct code compiles, and wrong code doesn't. */
const program = `
import type { components, operations, paths } from "./tandem.ts";

type Post = components["schemas"]["Post"];
type NewPost = NonNullable<operations["createPost"]["requestBody"]>["content"]["application/json"];
type Feed = paths["/api/posts"]["get"]["responses"][200]["content"]["application/json"];

export const draft: NewPost = { title: "On looms", body: null };
export const titles = ({ posts }: Feed): (string | null)[] => posts.map((post: Post) => post.title);
export const mark = (post: Post): "human" | "ai_generated" | "ai_assisted" => post.provenance;
// @ts-expect-error A post needs a title.
export const untitled: NewPost = { body: "They weave." };
// @ts-expect-error There is no such field.
export const wrong = (post: Post) => post.titel;
`;

test("a generator creates correct types from it", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "tandem-types-"));
  try {
    await writeFile(join(cwd, "tandem.ts"), await typesOf(document));
    await writeFile(join(cwd, "program.ts"), program);
    const compiler = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
    const flags = ["--strict", "--noEmit", "--allowImportingTsExtensions", "--module", "nodenext"];
    const command = [join(compiler, "bin/tsc"), ...flags, "program.ts"];
    const result = await promisify(execFile)(process.execPath, command, { cwd }).catch((error) => error);
    expect(result.stdout).toBe("");
  } finally {
    await rm(cwd, { recursive: true });
  }
});
