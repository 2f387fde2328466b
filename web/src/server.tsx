import { readFileSync } from "node:fs";
import { createFlatClient, TandemError } from "@tandem/client";
import { type DehydratedState, dehydrate, type Query } from "@tanstack/react-query";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { App, createQueryClient } from "./app/app.tsx";
import { type AssetManifest, assetsOf } from "./app/assets.ts";
import { BusyPage } from "./app/busy-page.tsx";
import { renderDocument, renderPlainDocument } from "./app/document.ts";
import { documentTitle, SITE } from "./app/document-title.ts";
import { isPassing } from "./app/passing-error.ts";
import { createAppRouter } from "./app/router.tsx";
import { setChoices } from "./data/choices.ts";
import { meQuery } from "./data/me.ts";
import { setServerTime } from "./data/server-time.ts";
import { preferredLocale } from "./i18n/preferred-locale.ts";
import { addTexts, loadI18n } from "./i18n/texts.ts";
import { matchPath } from "./router/match.ts";
import type { View } from "./router/router.ts";
import { isLocale, type Locale } from "./shared/locales.ts";
import { NotFound } from "./shared/page.ts";
import type { Reader, Rendered, RenderRequest } from "./shared/rendering.ts";

const manifest: AssetManifest = JSON.parse(
  readFileSync(new URL("../client/.vite/manifest.json", import.meta.url), "utf8"),
);

/** Renders the page at a path as its reader would see it, ready to hydrate in the browser. */
export async function render(request: RenderRequest): Promise<Rendered> {
  const redirect = redirectOf(request.path);
  if (redirect !== null) return { status: 307, html: "", location: redirect };
  const { cookies, baseUrl, fetch } = request;
  const locale = localeOf(request);
  const queryClient = createQueryClient();
  setChoices(queryClient, cookies);
  setServerTime(queryClient, Date.now());
  const api = createFlatClient({ baseUrl, fetch, maxWait: 0 });
  const context = { api, queryClient, i18n: await loadI18n(locale), baseUrl };
  try {
    if (!request.hasCredential) queryClient.setQueryData(meQuery(api).queryKey, null);
    const router = createAppRouter(context);
    await router.load(request.path);
    const { view } = router;
    const visit = view?.page;
    const body = renderToString(<App context={context} router={router} />);
    const state: DehydratedState = dehydrate(queryClient);
    const head = visit?.requiredRole === null ? visit.page.head(visit.request) : null;
    const html = renderDocument({
      request: request,
      locale,
      title: documentTitle(view, context.i18n),
      head,
      body,
      state,
      isMissing: view?.error instanceof NotFound,
      hasFailed: queryClient.getQueryCache().getAll().some(hasFailed),
      assets: assetsOf(manifest, view?.match?.route.area, locale),
    });
    return { status: statusOf(view), html };
  } finally {
    queryClient.clear();
  }
}

/** Renders the page for readers whose request is refused because the service is busy. It needs no script. */
export async function renderBusy(request: Reader): Promise<string> {
  const locale = localeOf(request);
  const i18n = await loadI18n(locale);
  await addTexts(i18n, "public-pages");
  return renderPlainDocument({
    request,
    locale,
    title: SITE,
    body: renderToStaticMarkup(<BusyPage text={(key) => i18n._(key)} />),
    assets: assetsOf(manifest, undefined, locale),
  });
}

/** The reader's choice, or else the best of the languages that their browser accepts. */
export function localeOf({ cookies, acceptLanguage }: Reader): Locale {
  const preferred = cookies.tandem_locale;
  return isLocale(preferred) ? preferred : preferredLocale(acceptLanguage);
}

/** The same URL without a slash at the end of its path, if only that leads to a page; null otherwise. */
function redirectOf(href: string): string | null {
  const shorter = href.replace(/\/+(?=$|\?)/, "");
  const [path = ""] = shorter.split("?");
  return shorter !== href && path !== "" && matchPath(path) ? shorter : null;
}

/** Whether a query failed for a reason that may be gone when the browser asks. Others fail there, too. */
const hasFailed = ({ state: { error } }: Query): boolean => error !== null && isPassing(error);

/** The page has the status that the API returned for its data. */
function statusOf(view: View | null): number {
  if (view?.error instanceof NotFound) return 404;
  if (!view?.page)
    return view?.error instanceof TandemError && view.error.status > 0 ? view.error.status : 500;
  const { requiredRole } = view.page;
  return requiredRole === "members" ? 401 : requiredRole ? 403 : 200;
}
