import type { Answer } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { subscribe } from "../data/push-subscription.ts";
import { subscriptionsPath } from "./push.plain.ts";
import { type Board, show } from "./push.ts";
import { OFFLINE, SHELL, VERSION } from "./shell.ts";

/*
 * What keeps the app at hand where there is no network. It keeps files that are the same for everybody, and one page that
 * was drawn for nobody; of what the API says, and of pages, which are drawn for one reader, it keeps nothing.
 * And it shows what is pushed to the browser.
 */

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Asking extends Lasting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Pushed extends Lasting {
  data: { text(): string } | null;
}

interface Pressed extends Lasting {
  notification: { data: { to?: string } | null; close(): void };
}

/** A tab of ours. */
interface Tab {
  url: string;
  focus(): Promise<unknown>;
}

interface Worker {
  location: Location;
  registration: Board & { pushManager: PushManager };
  clients: {
    claim(): Promise<void>;
    matchAll(which: { type: "window"; includeUncontrolled: true }): Promise<Tab[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(
    name: "install" | "activate" | "pushsubscriptionchange",
    heard: (event: Lasting) => void,
  ): void;
  addEventListener(name: "push", heard: (event: Pushed) => void): void;
  addEventListener(name: "notificationclick", heard: (event: Pressed) => void): void;
  addEventListener(name: "fetch", heard: (event: Asking) => void): void;
}

declare const self: Worker;

/** The language comes with the worker's own address: a reader who chooses another gets another worker. */
const locale = new URLSearchParams(self.location.search).get("locale") ?? "en";
const KEPT = `tandem ${VERSION} ${locale}`;

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOthers().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(pageOf(request, pathname, search));
  else if (pathname.startsWith("/assets/")) event.respondWith(fileOf(request));
});

self.addEventListener("push", (event) => {
  event.waitUntil(show(self.registration, event.data?.text(), locale));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data?.to ?? "/"));
});

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(subscribeAnew());
});

/** To the tab that shows it already, or to a new one: in the others somebody may be writing. */
async function lead(to: string): Promise<unknown> {
  const { href, origin } = new URL(to, self.location.origin);
  if (origin !== self.location.origin) return;
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = tabs.find(({ url }) => url === href);
  return there ? there.focus() : self.clients.openWindow(href);
}

/** The browser has let its subscription go: whoever is signed in here, and has one, gets another. */
async function subscribeAnew(): Promise<void> {
  const answer = await fetch(subscriptionsPath);
  // Nobody is signed in any more.
  if (!answer.ok) return;
  const told = (await answer.json()) as Answer<Operations["listPushSubscriptions"]>;
  const { applicationServerKey, subscriptions } = told;
  // Ended from elsewhere, or that of somebody who was here before.
  if (!subscriptions.some(({ current }) => current)) return;
  const body = JSON.stringify(await subscribe(self.registration.pushManager, applicationServerKey));
  await fetch(subscriptionsPath, { method: "POST", headers: { "content-type": "application/json" }, body });
}

async function keepShell(): Promise<void> {
  const kept = await caches.open(KEPT);
  await Promise.all([kept.addAll(SHELL), kept.put(OFFLINE, await drawnForNobody())]);
}

async function drawnForNobody(): Promise<Response> {
  const headers = { accept: "text/html", "accept-language": locale };
  const page = await fetch(OFFLINE, { credentials: "omit", cache: "reload", headers });
  if (!page.ok) throw new Error("the page for times without a network isn't there");
  return page;
}

/** Of versions before this one nothing is needed any more. */
async function dropOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
}

/** A page is asked for anew each time. Without an answer, the one for that comes, and knows where one wanted to go. */
async function pageOf(request: Request, pathname: string, search: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(KEPT)).match(OFFLINE);
    if (!kept) throw error;
    if (pathname === OFFLINE) return kept;
    return Response.redirect(`${OFFLINE}?${new URLSearchParams({ from: pathname + search })}`);
  }
}

/** A file that is named after what is in it never changes. */
async function fileOf(request: Request): Promise<Response> {
  const kept = await caches.open(KEPT);
  const known = await kept.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await kept.put(request, answer.clone());
  return answer;
}
