import type { Environment } from "@tandem/server/config";
import { Poller } from "@tandem/server/features/sources/poller";
import { makeAdmin } from "./admins.ts";
import type { Person } from "./callers.ts";
import { Origin } from "./origin.ts";
import { type EngineName, startTandem, type Tandem } from "./tandem.ts";

/** An article of a feed. */
export interface Article {
  id: string;
  title?: string;
  author?: string;
  link?: string;
  text?: string;
  /** The address of an enclosure with audio. */
  audio?: string;
  /** Milliseconds since 1970. */
  at?: number;
}

/** An RSS feed with these articles. */
export function rssFeed(articles: readonly Article[], more = ""): string {
  const items = articles.map(
    ({
      id,
      title = `On ${id}`,
      author = "Ada",
      link,
      text = "They weave.",
      audio,
      at = Date.UTC(2026, 0, 1),
    }) =>
      `<item><guid isPermaLink="false">${id}</guid><title>${title}</title><dc:creator>${author}</dc:creator>
      <link>${link ?? `https://example.org/${id}`}</link><description>${text}</description>
      ${audio ? `<enclosure url="${audio}" type="audio/mpeg" length="1"/>` : ""}
      <pubDate>${new Date(at).toUTCString()}</pubDate></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
    <title>Example Weekly</title><link>https://example.org/</link>${more}${items.join("")}</channel></rss>`;
}

/** A service that may make requests to this machine, an origin, and an admin. */
export interface ImportSetup extends AsyncDisposable {
  tandem: Tandem;
  origin: Origin;
  admin: Person;
  /** Visits all due sources. */
  poll(): Promise<void>;
  /** The service's clock, in milliseconds since 1970. It only advances when set. */
  clock: { now: number };
}

export async function startImports(engine: EngineName, settings: Environment = {}): Promise<ImportSetup> {
  const clock = { now: Date.UTC(2026, 5, 1) };
  const env = { OUTGOING_ALLOW: "127.0.0.0/8", SOURCES_SPACING: "0", ...settings };
  const tandem = await startTandem(engine, { env, now: () => clock.now });
  const origin = await Origin.start();
  const admin = await tandem.as.human();
  await makeAdmin(tandem.storage, admin);
  const poller = new Poller(tandem.services);
  return {
    tandem,
    origin,
    admin,
    clock,
    poll: () => poller.run(new AbortController().signal),
    async [Symbol.asyncDispose]() {
      await tandem.stop();
      await origin[Symbol.asyncDispose]();
    },
  };
}
