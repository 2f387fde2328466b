import type { SitePage, SitePageEntry, SitePageName } from "@tandem/contract/site-pages";
import { sitePageNames } from "@tandem/contract/site-pages";
import { ApiError } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";

/** The pages that the operator writes: terms, privacy policy, rules and contact. */
export const sitePages = {
  async listSitePages({ read }) {
    const rows = await read.selectFrom("site_pages").select(["name", "updated_at"]).execute();
    const pages = rows.map(entryOf);
    return { pages: sitePageNames.flatMap((name) => pages.filter((page) => page.name === name)) };
  },
  async readSitePage({ read }, { name }) {
    const row = await read.selectFrom("site_pages").selectAll().where("name", "=", name).executeTakeFirst();
    if (!row) throw notWritten(name);
    return { page: pageOf(row) };
  },
  saveSitePage: ({ write, now }, { name, body }) =>
    write(async (tx) => {
      const row = { name, body, updated_at: now };
      await tx
        .insertInto("site_pages")
        .values(row)
        .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
        .execute();
      return { page: pageOf(row) };
    }),
  removeSitePage: ({ write }, { name }) =>
    write(async (tx) => {
      const deleted = await tx.deleteFrom("site_pages").where("name", "=", name).executeTakeFirst();
      if (deleted.numDeletedRows === 0n) throw notWritten(name);
      return { removed: true };
    }),
} satisfies Handlers<"listSitePages" | "readSitePage" | "saveSitePage" | "removeSitePage">;

interface SitePageRow {
  name: SitePageName;
  body: string;
  updated_at: number;
}

function entryOf({ name, updated_at }: Omit<SitePageRow, "body">): SitePageEntry {
  return { name, updatedAt: new Date(updated_at).toISOString() };
}

function pageOf(row: SitePageRow): SitePage {
  return { ...entryOf(row), body: row.body };
}

function notWritten(name: SitePageName): ApiError {
  return new ApiError("not_found", `This site's operator has written no page "${name}".`);
}
