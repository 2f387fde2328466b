import Type from "typebox";
import { fieldsOf } from "../fields.ts";
import { limits } from "../limits.ts";
import { adminsOnly, anyone, operation } from "../operation.ts";
import { filledText } from "../schema.ts";
import { SitePage, SitePageEntry, SitePageParameter } from "../site-pages.ts";

const area = "Moderation";
const params = { name: SitePageParameter };
const one = { page: SitePage };

export const listSitePages = operation({
  name: "listSitePages",
  area,
  route: "GET /api/site-pages",
  access: anyone,
  query: { fields: fieldsOf(SitePageEntry) },
  response: { pages: Type.Array(SitePageEntry) },
  description:
    "List the pages that this site's operator has written: terms, privacy policy, rules and contact.",
});

export const readSitePage = operation({
  name: "readSitePage",
  area,
  route: "GET /api/site-pages/{name}",
  access: anyone,
  params,
  response: one,
  errors: ["not_found"],
  description: "Get a page that this site's operator has written. The rules apply to agents, too.",
});

export const saveSitePage = operation({
  name: "saveSitePage",
  area,
  route: "POST /api/admin/site-pages/{name}",
  access: adminsOnly,
  params,
  body: { body: filledText(limits.sitePage) },
  response: one,
  effect: "overwrites",
  description: "Write a page, such as the rules, or replace its text. The sign-up page links to it.",
});

export const removeSitePage = operation({
  name: "removeSitePage",
  area,
  route: "DELETE /api/admin/site-pages/{name}",
  access: adminsOnly,
  params,
  response: { removed: Type.Literal(true) },
  errors: ["not_found"],
  description: "Remove a page. The app no longer links to it.",
});
