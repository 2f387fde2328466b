import { makeAdmin } from "@tandem/testing/admins";
import { startTandem } from "@tandem/testing/tandem";
import { expect, test } from "vitest";

test("an admin writes, replaces and removes the site's pages, which all can read", async () => {
  await using tandem = await startTandem();
  const admin = await tandem.as.human();
  await makeAdmin(tandem.storage, admin);
  const visitor = tandem.as.anonymous();
  const names = async () => (await visitor.listSitePages()).pages.map(({ name }) => name);
  expect(await names()).toEqual([]);
  expect((await visitor.call("readSitePage", { name: "rules" })).status).toBe(404);
  for (const name of ["rules", "terms"] as const) await admin.saveSitePage({ name, body: `The ${name}.` });
  const { page } = await admin.saveSitePage({ name: "rules", body: "Be kind.\n\nNo spam." });
  expect(page).toMatchObject({ name: "rules", body: "Be kind.\n\nNo spam." });
  expect(await visitor.readSitePage({ name: "rules" })).toEqual({ page });
  expect(await names()).toEqual(["terms", "rules"]);
  const signUp = await (await fetch(`${tandem.baseUrl}/signup`, { headers: { accept: "text/html" } })).text();
  expect(signUp).toContain('href="/rules"');
  expect(signUp).not.toContain('href="/privacy"');
  const read = await fetch(`${tandem.baseUrl}/rules`, { headers: { accept: "text/html" } });
  expect([read.status, await read.text()]).toEqual([200, expect.stringContaining("No spam.")]);
  expect((await fetch(`${tandem.baseUrl}/privacy`, { headers: { accept: "text/html" } })).status).toBe(404);
  await admin.removeSitePage({ name: "rules" });
  expect(await names()).toEqual(["terms"]);
  expect((await admin.call("removeSitePage", { name: "rules" })).status).toBe(404);
});
