import type { Answer } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { subscribe } from "../data/push-subscription.ts";
import { subscriptionsPath } from "./push.plain.ts";
import { type NotificationBoard, showPush } from "./push.ts";
import { OFFLINE, SHELL, VERSION } from "./shell.ts";

/*
 * What keeps the app at hand where there is no network. It keeps files that are the same for everybody, and one page that
 * was drawn for nobody; of what the API says, and of pages, which are drawn for one reader, it keeps nothing.
 * And it shows what is pushed to the browser.
 */

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface PushEvent extends ExtendableEvent {
  data: { text(): string } | null;
}

interface NotificationClickEvent extends ExtendableEvent {
  notification: { data: { path?: string } | null; close(): void };
}

/** A tab of ours. */
interface Tab {
  url: string;
  focus(): Promise<unknown>;
}

interface ServiceWorkerScope {
  location: Location;
  registration: NotificationBoard & { pushManager: PushManager };
  clients: {
    claim(): Promise<void>;
    matchAll(which: { type: "window"; includeUncontrolled: true }): Promise<Tab[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(
    name: "install" | "activate" | "pushsubscriptionchange",
    listener: (event: ExtendableEvent) => void,
  ): void;
  addEventListener(name: "push", listener: (event: PushEvent) => void): void;
  addEventListener(name: "notificationclick", listener: (event: NotificationClickEvent) => void): void;
  addEventListener(name: "fetch", listener: (event: FetchEvent) => void): void;
}

declare const self: ServiceWorkerScope;

/** The language comes with the worker's own address: a reader who chooses another gets another worker. */
const locale = new URLSearchParams(self.location.search).get("locale") ?? "en";
const CACHE = `tandem ${VERSION} ${locale}`;

self.addEventListener("install", (event) => {
  event.waitUntil(precache().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetchPage(request, pathname, search));
  else if (pathname.startsWith("/assets/")) event.respondWith(fetchAsset(request));
});

self.addEventListener("push", (event) => {
  event.waitUntil(showPush(self.registration, event.data?.text(), locale));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openOrFocus(event.notification.data?.path ?? "/"));
});

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(resubscribe());
});

/** To the tab that shows it already, or to a new one: in the others somebody may be writing. */
async function openOrFocus(path: string): Promise<unknown> {
  const { href, origin } = new URL(path, self.location.origin);
  if (origin !== self.location.origin) return;
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = tabs.find(({ url }) => url === href);
  return open ? open.focus() : self.clients.openWindow(href);
}

/** The browser has let its subscription go: whoever is signed in here, and has one, gets another. */
async function resubscribe(): Promise<void> {
  const answer = await fetch(subscriptionsPath);
  // Nobody is signed in any more.
  if (!answer.ok) return;
  const answered = (await answer.json()) as Answer<Operations["listPushSubscriptions"]>;
  const { applicationServerKey, subscriptions } = answered;
  // Ended from elsewhere, or that of somebody who was here before.
  if (!subscriptions.some(({ current }) => current)) return;
  const body = JSON.stringify(await subscribe(self.registration.pushManager, applicationServerKey));
  await fetch(subscriptionsPath, { method: "POST", headers: { "content-type": "application/json" }, body });
}

async function precache(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all([cache.addAll(SHELL), cache.put(OFFLINE, await fetchOfflinePage())]);
}

async function fetchOfflinePage(): Promise<Response> {
  const headers = { accept: "text/html", "accept-language": locale };
  const page = await fetch(OFFLINE, { credentials: "omit", cache: "reload", headers });
  if (!page.ok) throw new Error("the page for times without a network isn't there");
  return page;
}

/** Of versions before this one nothing is needed any more. */
async function deleteOldCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/** A page is asked for anew each time. Without an answer, the one for that comes, and knows where one wanted to go. */
async function fetchPage(request: Request, pathname: string, search: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await (await caches.open(CACHE)).match(OFFLINE);
    if (!cache) throw error;
    if (pathname === OFFLINE) return cache;
    return Response.redirect(`${OFFLINE}?${new URLSearchParams({ from: pathname + search })}`);
  }
}

/** A file that is named after what is in it never changes. */
async function fetchAsset(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request);
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
