import { limits } from "@tandem/contract/limits";
import type { ResponseOf } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { subscribe } from "../data/push-subscription.ts";
import { offlineAddress } from "../shared/addresses.ts";
import { notificationsApiPath, subscriptionsPath } from "./push.plain.ts";
import { type NotificationData, type NotificationDisplay, showPush } from "./push.ts";
import { SHELL, VERSION } from "./shell.ts";

/*
 * Precaches the assets and the offline page, and shows push notifications. It never caches API responses or
 * other pages, because they belong to one reader.
 */

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

interface PushEvent extends ExtendableEvent {
  data: { text(): string } | null;
}

interface NotificationClickEvent extends ExtendableEvent {
  notification: { data: NotificationData | null; close(): void };
}

interface Tab {
  url: string;
  focus(): Promise<unknown>;
}

interface ServiceWorkerScope {
  location: Location;
  registration: NotificationDisplay & { pushManager: PushManager };
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

/** The language is part of the worker's URL, so changing the language installs a new worker. */
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
  const { data } = event.notification;
  event.waitUntil(Promise.all([openOrFocus(data?.to ?? "/"), markAsRead(data?.ids ?? [])]));
});

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(resubscribe());
});

/**
 * Focuses the tab that shows the path already, or opens a new one: replacing another tab's page could lose
 * what someone is writing there.
 */
async function openOrFocus(path: string): Promise<unknown> {
  const { href, origin } = new URL(path, self.location.origin);
  if (origin !== self.location.origin) return;
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = tabs.find(({ url }) => url === href);
  return open ? open.focus() : self.clients.openWindow(href);
}

/** Marks the notifications as read that were clicked. Offline, they stay unread. */
async function markAsRead(ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const body = JSON.stringify({ ids: ids.slice(0, limits.notifications) });
  const headers = { "content-type": "application/json" };
  await fetch(notificationsApiPath, { method: "PATCH", headers, body }).catch(() => undefined);
}

/** Replaces a subscription that the browser has dropped, if the signed-in user still has one. */
async function resubscribe(): Promise<void> {
  const response = await fetch(subscriptionsPath);
  // No one is signed in.
  if (!response.ok) return;
  const list = (await response.json()) as ResponseOf<Operations["listPushSubscriptions"]>;
  const { applicationServerKey, subscriptions } = list;
  // The subscription was ended elsewhere, or belonged to another user of this browser.
  if (!subscriptions.some(({ current }) => current)) return;
  const body = JSON.stringify(await subscribe(self.registration.pushManager, applicationServerKey));
  await fetch(subscriptionsPath, { method: "POST", headers: { "content-type": "application/json" }, body });
}

async function precache(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all([cache.addAll(SHELL), cache.put(offlineAddress, await fetchOfflinePage())]);
}

async function fetchOfflinePage(): Promise<Response> {
  const headers = { accept: "text/html", "accept-language": locale };
  const page = await fetch(offlineAddress, { credentials: "omit", cache: "reload", headers });
  if (!page.ok) throw new Error("the page for times without a network isn't there");
  return page;
}

/** Deletes the caches of other versions. */
async function deleteOldCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

/**
 * Always fetches pages from the network. Without a connection, redirects to the offline page with the
 * requested path.
 */
async function fetchPage(request: Request, pathname: string, search: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await (await caches.open(CACHE)).match(offlineAddress);
    if (!cache) throw error;
    if (pathname === offlineAddress) return cache;
    return Response.redirect(`${offlineAddress}?${new URLSearchParams({ from: pathname + search })}`);
  }
}

/** Cache first: file names contain a hash of the content. */
async function fetchAsset(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}
