import { readFileSync } from "node:fs";
import { createFlatClient, TandemError } from "@tandem/client";
import { type DehydratedState, dehydrate } from "@tanstack/react-query";
import { createMemoryHistory } from "@tanstack/react-router";
import { renderToString } from "react-dom/server";
import { App, createQueryClient } from "./app/app.tsx";
import { type AssetManifest, assetsOf } from "./app/assets.ts";
import { renderDocument } from "./app/document.ts";
import { type AppRouter, createAppRouter, loadedPageOf } from "./app/router.tsx";
import { setChoices } from "./data/choices.ts";
import { meQuery } from "./data/me.ts";
import { setServerTime } from "./data/server-time.ts";
import { isLocale, type Locale } from "./i18n/locales.ts";
import { preferredLocale } from "./i18n/preferred-locale.ts";
import { loadI18n } from "./i18n/texts.ts";
import type { Rendered, RenderRequest } from "./shared/rendering.ts";

const manifest: AssetManifest = JSON.parse(
  readFileSync(new URL("../client/.vite/manifest.json", import.meta.url), "utf8"),
);

/** Renders the page at a path as its reader would see it, ready to hydrate in the browser. */
export async function render(request: RenderRequest): Promise<Rendered> {
  const { cookies, baseUrl, fetch } = request;
  const locale = localeOf(request);
  const queryClient = createQueryClient();
  setChoices(queryClient, cookies);
  setServerTime(queryClient, Date.now());
  const api = createFlatClient({ baseUrl, fetch, maxWait: 0 });
  const context = { api, queryClient, i18n: await loadI18n(locale), baseUrl };
  try {
    if (!request.hasCredential) queryClient.setQueryData(meQuery(api).queryKey, null);
    const router = createAppRouter(context, createMemoryHistory({ initialEntries: [request.path] }));
    await router.load();
    const redirect = redirectOf(router);
    if (redirect !== null) return { status: 307, html: "", location: redirect };
    const visit = loadedPageOf(router);
    const body = renderToString(<App context={context} router={router} />);
    const state: DehydratedState = dehydrate(queryClient);
    const head = visit?.requiredRole === null ? visit.page.head(visit.request) : null;
    const html = renderDocument({
      request: request,
      locale,
      head,
      body,
      state,
      assets: assetsOf(manifest, router, locale),
    });
    return { status: statusOf(router), html };
  } finally {
    queryClient.clear();
  }
}

/** The reader's choice, or else the best of the languages that their browser accepts. */
export function localeOf({
  cookies,
  acceptLanguage,
}: Pick<RenderRequest, "acceptLanguage" | "cookies">): Locale {
  const preferred = cookies.tandem_locale;
  return isLocale(preferred) ? preferred : preferredLocale(acceptLanguage);
}

/** The canonical form of the URL, if the router redirects to it; null otherwise. */
function redirectOf({ _serverResult: result }: AppRouter): string | null {
  if (result?.type !== "redirect") return null;
  const { href = "/" } = result.redirect.options;
  return href.replace(/^\/+/, "/");
}

/** The page has the status that the API returned for its data. */
function statusOf(router: AppRouter): number {
  const { matches } = router.state;
  if (matches.some(({ status, _notFound }) => status === "notFound" || _notFound)) return 404;
  const failedMatch = matches.find(({ status }) => status === "error");
  if (failedMatch)
    return failedMatch.error instanceof TandemError && failedMatch.error.status > 0
      ? failedMatch.error.status
      : 500;
  const barred = loadedPageOf(router)?.requiredRole;
  return barred === "members" ? 401 : barred === "admins" ? 403 : 200;
}
