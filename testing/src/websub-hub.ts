import { createHmac, randomUUID } from "node:crypto";
import { Origin } from "./origin.ts";

/** A subscription that the hub has verified. */
interface Subscriber {
  callback: string;
  topic: string;
  secret: string;
  endsAt: number;
}

export interface HubOptions {
  /** Where the service listens; callbacks lead there instead of to its public URL. */
  serviceUrl: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * A WebSub hub, by the rules of the W3C Recommendation: it answers requests with 202, then verifies them with the subscriber, and signs
 * what it distributes.
 */
export class WebSubHub implements AsyncDisposable {
  readonly origin: Origin;
  /** What was asked for, in order. */
  readonly asked: URLSearchParams[] = [];
  /** The statuses with which the subscriber answered verifications. */
  readonly verified: number[] = [];
  readonly subscribers = new Map<string, Subscriber>();
  leaseSeconds = 864_000;
  algorithm = "sha256";
  /** Whether it verifies what it is asked for. */
  verifies = true;
  readonly #options: HubOptions;
  #verifying: Promise<unknown> = Promise.resolve();

  private constructor(origin: Origin, options: HubOptions) {
    this.origin = origin;
    this.#options = options;
  }

  static async start(options: HubOptions): Promise<WebSubHub> {
    const hub = new WebSubHub(await Origin.start(), options);
    hub.accept();
    return hub;
  }

  get url(): string {
    return `${this.origin.url}/hub`;
  }

  /** Responds to requests as the Recommendation says. */
  accept(): void {
    this.origin.show("/hub", (request, response) => {
      const sent = new URLSearchParams(this.origin.requests.at(-1)?.body);
      this.asked.push(sent);
      const isForm = request.headers["content-type"] === "application/x-www-form-urlencoded";
      if (!isForm || request.method !== "POST" || !sent.get("hub.callback"))
        return response.writeHead(400).end();
      response.writeHead(202).end();
      if (this.verifies) this.#verifying = this.#verifying.then(() => this.#verify(sent));
    });
  }

  /** Resolves once all requests so far are verified. */
  async settled(): Promise<void> {
    await this.#verifying;
  }

  async #verify(sent: URLSearchParams): Promise<void> {
    const [mode, topic, callback] = ["mode", "topic", "callback"].map(
      (name) => sent.get(`hub.${name}`) ?? "",
    ) as [string, string, string];
    const challenge = randomUUID();
    const lease: Record<string, string> =
      mode === "subscribe" ? { "hub.lease_seconds": String(this.leaseSeconds) } : {};
    const response = await this.call(callback, {
      "hub.mode": mode,
      "hub.topic": topic,
      "hub.challenge": challenge,
      ...lease,
    });
    this.verified.push(response.status);
    if (!response.ok || (await response.text()) !== challenge) return;
    const endsAt = this.#options.now() + this.leaseSeconds * 1000;
    const key = `${callback} ${topic}`;
    if (mode === "subscribe")
      this.subscribers.set(key, { callback, topic, secret: sent.get("hub.secret") ?? "", endsAt });
    else this.subscribers.delete(key);
  }

  /** Calls a callback with these parameters. */
  call(callback: string, parameters: Record<string, string>): Promise<Response> {
    return fetch(`${this.reach(callback)}?${new URLSearchParams(parameters)}`);
  }

  /** Distributes new content of a topic. Returns the statuses with which subscribers answered. */
  distribute(topic: string, body: string): Promise<number[]> {
    const all = [...this.subscribers.values()].filter(
      (one) => one.topic === topic && one.endsAt > this.#options.now(),
    );
    return Promise.all(
      all.map(
        async ({ callback, secret }) =>
          (await this.post(callback, body, this.signature(secret, body))).status,
      ),
    );
  }

  signature(secret: string, body: string): string {
    return `${this.algorithm}=${createHmac(this.algorithm, secret).update(body).digest("hex")}`;
  }

  post(callback: string, body: string, signature?: string): Promise<Response> {
    return fetch(this.reach(callback), {
      method: "POST",
      headers: { "content-type": "application/rss+xml", ...(signature && { "x-hub-signature": signature }) },
      body,
    });
  }

  reach(callback: string): string {
    return this.#options.serviceUrl + new URL(callback).pathname;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#verifying.catch(() => {});
    await this.origin[Symbol.asyncDispose]();
  }
}
