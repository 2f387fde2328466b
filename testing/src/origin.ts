import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";

/** The setting that allows requests to local test servers. */
export const loopback = { OUTGOING_ALLOW: "127.0.0.1/32" };

/** A response. With an `etag` or `last-modified` header, matching conditional requests get a 304. */
export interface OriginResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export type OriginHandler = OriginResponse | ((request: IncomingMessage, response: ServerResponse) => void);

export interface OriginRequest {
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
  /** The same body as bytes. */
  bytes: Buffer;
}

/** In PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** A local web server that plays another site: it serves what a test configures and records all requests. */
export class Origin implements AsyncDisposable {
  /** Every request, in order. */
  readonly requests: OriginRequest[] = [];
  readonly #shown = new Map<string, OriginHandler>();
  readonly #server: Server;

  readonly #scheme: "http" | "https";

  private constructor(certificate: Certificate | undefined) {
    const respond = (request: IncomingMessage, response: ServerResponse) =>
      void this.#respond(request, response);
    this.#server = certificate ? createSecureServer(certificate, respond) : createServer(respond);
    this.#scheme = certificate ? "https" : "http";
  }

  /**
   * @param host address to listen on
   * @param certificate to serve https with
   */
  static async start(host = "127.0.0.1", certificate?: Certificate): Promise<Origin> {
    const origin = new Origin(certificate);
    await new Promise<void>((resolve) => origin.#server.listen(0, host, resolve));
    return origin;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Without a slash at the end. */
  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
  }

  /** Sets the response for a path, including its query; other paths are 404. Returns the full address. */
  show(path: string, what: OriginHandler): string {
    this.#shown.set(path, what);
    return this.url + path;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "/";
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    this.requests.push({ path, headers: request.headers, body: bytes.toString(), bytes });
    const shows = this.#shown.get(path) ?? { status: 404 };
    if (typeof shows === "function") shows(request, response);
    else if (knows(request, shows)) response.writeHead(304, shows.headers).end();
    else response.writeHead(shows.status ?? 200, shows.headers).end(shows.body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function knows({ headers }: IncomingMessage, { headers: shown = {} }: OriginResponse): boolean {
  const tag = headers["if-none-match"];
  if (tag !== undefined) return tag === shown.etag;
  const since = headers["if-modified-since"];
  return since !== undefined && since === shown["last-modified"];
}
