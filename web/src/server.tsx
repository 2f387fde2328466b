import { readFileSync } from "node:fs";
import { createClient, TandemError } from "@tandem/client";
import { type DehydratedState, dehydrate } from "@tanstack/react-query";
import { createMemoryHistory } from "@tanstack/react-router";
import { renderToString } from "react-dom/server";
import { App, openData } from "./app/app.tsx";
import { type AssetManifest, assetsOf } from "./app/assets.ts";
import { documentOf } from "./app/document.ts";
import { type AppRouter, openRouter, visitOf } from "./app/router.tsx";
import { keepChoices } from "./data/choices.ts";
import { meQuery } from "./data/me.ts";
import { keepDrawnAt } from "./data/server-time.ts";
import { isLocale, preferredLocale } from "./i18n/locales.ts";
import { openTexts } from "./i18n/texts.ts";
import type { Asked, Rendered } from "./shared/rendering.ts";

const manifest: AssetManifest = JSON.parse(
  readFileSync(new URL("../client/.vite/manifest.json", import.meta.url), "utf8"),
);

/** Draws the page of an address as its reader would see it: whole, and ready to come alive in the browser. */
export async function render(asked: Asked): Promise<Rendered> {
  const { cookies, baseUrl, fetch } = asked;
  const chosen = cookies.tandem_locale;
  const locale = isLocale(chosen) ? chosen : preferredLocale(asked.acceptLanguage);
  const data = openData();
  keepChoices(data, cookies);
  keepDrawnAt(data, Date.now());
  const api = createClient({ baseUrl, fetch, maxWait: 0 });
  const context = { api, data, i18n: await openTexts(locale), baseUrl };
  try {
    if (!asked.known) data.setQueryData(meQuery(api).queryKey, null);
    const router = openRouter(context, createMemoryHistory({ initialEntries: [asked.address] }));
    await router.load();
    const elsewhere = redirectOf(router);
    if (elsewhere !== null) return { status: 307, html: "", location: elsewhere };
    const visit = visitOf(router);
    const body = renderToString(<App context={context} router={router} />);
    const state: DehydratedState = dehydrate(data);
    const head = visit?.barred === null ? visit.page.head(visit.request) : null;
    const html = documentOf({ asked, locale, head, body, state, assets: assetsOf(manifest, router, locale) });
    return { status: statusOf(router), html };
  } finally {
    data.clear();
  }
}

/** Where a page is, if its address can be written in a better way: each page has one. */
function redirectOf({ _serverResult: result }: AppRouter): string | null {
  if (result?.type !== "redirect") return null;
  const { href = "/" } = result.redirect.options;
  return href.replace(/^\/+/, "/");
}

/** As the API would answer what the page asked of it. */
function statusOf(router: AppRouter): number {
  const { matches } = router.state;
  if (matches.some(({ status, _notFound }) => status === "notFound" || _notFound)) return 404;
  const failed = matches.find(({ status }) => status === "error");
  if (failed)
    return failed.error instanceof TandemError && failed.error.status > 0 ? failed.error.status : 500;
  const barred = visitOf(router)?.barred;
  return barred === "members" ? 401 : barred === "admins" ? 403 : 200;
}
