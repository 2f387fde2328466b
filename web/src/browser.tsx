import "./styles.css";
import { createClient } from "@tandem/client";
import { hydrate } from "@tanstack/react-query";
import { createBrowserHistory } from "@tanstack/react-router";
import { hydrateRoot } from "react-dom/client";
import { App, openData } from "./app/app.tsx";
import { openRouter } from "./app/router.tsx";
import { followHead } from "./app/sync-document-title.ts";
import { keepOffer } from "./data/install.ts";
import { registerWorker } from "./data/service-worker.ts";
import { followSession } from "./data/session.ts";
import { firstLocale, isLocale } from "./i18n/locales.ts";
import { openTexts } from "./i18n/texts.ts";

/** Seconds that a call waits by itself before the reader is told. */
const MAX_WAIT = 3;

async function begin(): Promise<void> {
  const { lang } = document.documentElement;
  keepOffer();
  const data = openData();
  hydrate(data, JSON.parse(document.getElementById("state")?.textContent ?? "{}"));
  const baseUrl = location.origin;
  const context = {
    api: createClient({ baseUrl, maxWait: MAX_WAIT }),
    data,
    i18n: await openTexts(isLocale(lang) ? lang : firstLocale),
    baseUrl,
  };
  const router = openRouter(context, createBrowserHistory());
  // The service drew what is there already: the router begins as it did, and waits for nothing.
  router.ssr = { manifest: undefined };
  await router.load();
  const root = document.getElementById("root");
  if (root) hydrateRoot(root, <App context={context} router={router} />);
  followHead(router);
  followSession(context);
  registerWorker(lang);
}

void begin();
