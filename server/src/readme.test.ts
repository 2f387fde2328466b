import { programOf } from "@tandem/testing/programs";
import { expectedLines, runReadmeCommands } from "@tandem/testing/readme-commands";
import { startTandem } from "@tandem/testing/tandem";
import { beforeAll, expect, test } from "vitest";
import { limitSettings } from "./config/limits.ts";

beforeAll(() => programOf("curl"), 300_000);

test("the README's curl commands print what it says", async () => {
  expect(expectedLines.length).toBeGreaterThan(20);
  // With the limits that a service has by default.
  const env = Object.fromEntries(limitSettings().map(({ name }) => [name, ""]));
  await using tandem = await startTandem("sqlite", { env });
  const { missing, output } = await runReadmeCommands(tandem.baseUrl);
  expect(missing, output).toBeNull();
});
