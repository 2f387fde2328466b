import "./styles.css";
import { createFlatClient } from "@tandem/client";
import { hydrate } from "@tanstack/react-query";
import { createRoot, hydrateRoot } from "react-dom/client";
import { App, createQueryClient } from "./app/app.tsx";
import { focusMain } from "./app/focus-main.ts";
import { loadFirstPage, untilLoaded } from "./app/load-first-page.ts";
import { createAppRouter } from "./app/router.tsx";
import { captureInstallPrompt } from "./data/install.ts";
import { forgetFeedOfOthers } from "./data/last-feed.ts";
import { meQuery } from "./data/me.ts";
import { registerWorker } from "./data/service-worker.ts";
import { watchSession } from "./data/session.ts";
import { loadI18n } from "./i18n/texts.ts";
import { currentHref, followHistory, rememberScroll } from "./router/browser-history.ts";
import type { Hooks } from "./router/router.ts";
import { offlineAddress } from "./shared/addresses.ts";
import { endEarlyPresses } from "./shared/early-presses.ts";
import { defaultLocale, isLocale } from "./shared/locales.ts";

/** The longest that the client waits before a retry, in seconds. Beyond that, the reader sees the error. */
const MAX_WAIT = 3;

async function start(): Promise<void> {
  const { lang } = document.documentElement;
  captureInstallPrompt();
  const queryClient = createQueryClient();
  const state = document.getElementById("state");
  const hasFailed = state?.hasAttribute("data-failed") ?? false;
  hydrate(queryClient, JSON.parse(state?.textContent ?? "{}"));
  const context = {
    api: createFlatClient({ baseUrl: location.origin, maxWait: MAX_WAIT }),
    queryClient,
    i18n: await untilLoaded(() => loadI18n(isLocale(lang) ? lang : defaultLocale)),
    baseUrl: state?.dataset.baseUrl ?? location.origin,
  };
  const scroll = rememberScroll();
  const hooks: Hooks = {
    onLeave: scroll.onLeave,
    onRendered(view, before) {
      scroll.onRendered(view, before);
      if (before) focusMain(view, before);
    },
  };
  const router = createAppRouter(context, hooks);
  // The data is in the query cache already, so this loads only code and texts. Whatever its age, newer data would differ from the
  // document, and is loaded after hydration.
  const { queries, ...others } = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ ...others, queries: { ...queries, staleTime: Number.POSITIVE_INFINITY } });
  if (state?.hasAttribute("data-missing")) router.showMissing(currentHref());
  else await loadFirstPage(router, queryClient, currentHref(), hasFailed);
  queryClient.setDefaultOptions({ ...others, queries });
  const root = document.getElementById("root");
  endEarlyPresses();
  if (root) {
    const app = <App context={context} router={router} />;
    // What failed on the server may be loaded by now, so it isn't in the document.
    if (hasFailed) createRoot(root).render(app);
    else hydrateRoot(root, app);
  }
  // The offline page is everyone's: it doesn't know whose session this is.
  const me = queryClient.getQueryData(meQuery(context.api).queryKey);
  if (me !== undefined && location.pathname !== offlineAddress) forgetFeedOfOthers(me);
  followHistory(router, hooks);
  watchSession(context);
  registerWorker(lang);
}

void start();
