import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { isTracing } from "../tracing/tracing.ts";
import { acceptedEncoding } from "./accepted-encoding.ts";
import { authorize } from "./access.ts";
import type { Admission } from "./admission.ts";
import type { AnswerFinder } from "./answer-finder.ts";
import { exposedHeaders } from "./cors.ts";
import { authenticate, cookieText, ownScheme, sessionCookie } from "./credential.ts";
import { isKnown } from "./etag.ts";
import { type Answer, knownAnswersOf } from "./known-answers.ts";
import { documentLinks } from "./links.ts";
import { memoizePerInstance } from "./memoize-per-instance.ts";
import { routerPath } from "./methods.ts";
import type { CountRequest } from "./observability.ts";
import { cheapRead, DEAR, handOver } from "./overload.ts";
import { logAnswer, logCutOff, requestId } from "./request-log.ts";
import { securityHeaders } from "./security-headers.ts";
import { sendTogether } from "./send-together.ts";
import type { Services } from "./services.ts";

interface Options {
  admission: Admission;
  count: CountRequest;
  /** For the operations whose answers are kept. */
  finders: readonly AnswerFinder[];
}

/**
 * Answers the most common reads without the framework, which costs several times as much as an answer that is known, and as much as finding
 * out another. Clients can't tell: the headers are the same, and so are the line in the log and the metrics. Everything that isn't plain
 * takes the usual way: what belongs to a trace, comes while the service stops, or ends in an error, which is then found again.
 */
export function answerAtOnce(
  { server }: FastifyInstance,
  services: Services,
  { admission, count, finders }: Options,
): void {
  const known = knownAnswersOf(services);
  const routes = new Routes(finders);
  // The framework's own.
  const usual = server.listeners("request").at(-1) as RequestListener;
  server.off("request", usual);
  server.on("request", (request, response) => {
    const start = performance.now();
    const ready = isPlain(request) ? findKnown(request) : undefined;
    if (ready && admission.isFree()) return respond(request, response, ready, start);
    const route = isPlain(request) ? routes.find(request.url ?? "") : undefined;
    if (!route) return usual(request, response);
    const begun = { request, response, route, start };
    if (admission.begin()) return answer(begun, { isNew: true, leave: () => admission.end() });
    const ticket = admission.enter(
      cheapRead(services, request, {
        admit: () =>
          answer(begun, {
            isNew: false,
            // The framework keeps its place while it finds out what is wrong.
            leave: (isAnswered) => (isAnswered ? admission.leave(ticket) : handOver(request, ticket)),
          }),
        refuse: () => usual(request, response),
      }),
    );
    response.once("close", () => {
      if (ticket.state === "waiting" || ticket.state === "late") logLeft(begun);
      admission.leave(ticket);
    });
  });

  /**
   * @param isNew whether it was just found that the answer isn't known
   * @param leave called once it no longer needs its place in the admission, with whether it is about to be answered
   */
  function answer(
    begun: Begun,
    { isNew, leave }: { isNew: boolean; leave(isAnswered: boolean): void },
  ): void {
    const { request, response, route, start } = begun;
    const find = async () => {
      // A stop may have begun while it waited, and another request may have found the answer.
      if (!isPlain(request)) return null;
      return (isNew ? undefined : findKnown(request)) ?? findOut(request, response, route);
    };
    services.shutdown
      .during(request, response, find)
      .then((found) => {
        leave(found !== null || response.destroyed);
        if (response.destroyed) logLeft(begun);
        else if (found) respond(request, response, found, start);
        else usual(request, response);
      })
      .catch((error: unknown) => fail(begun, error));
  }

  function isPlain({ method, headers }: IncomingMessage): boolean {
    const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    return method === "GET" && !hasBody && !isTracing() && !services.shutdown.hasBegun;
  }

  function findKnown(request: IncomingMessage): Answer | undefined {
    try {
      return known.find(request, services.now(), services.storage.version);
    } catch {
      // A database that fails is reported the usual way.
      return undefined;
    }
  }

  /** Null if anything stands against it: the usual way says what. */
  async function findOut(
    request: IncomingMessage,
    response: ServerResponse,
    { finder, route, params }: Route,
  ): Promise<Answer | null> {
    const { url = "", headers } = request;
    try {
      const { storage } = services;
      let since: number | null | undefined = storage.version() ?? undefined;
      if (since === undefined && known.wasAsked(request)) {
        const version = await storage.askVersion();
        const answer = known.find(request, services.now(), () => version);
        if (answer) return answer;
        since = version;
      }
      const authorization = ownScheme(headers.authorization);
      const found = await authenticate(services, { authorization, cookie: headers.cookie });
      const { caller, renewed } = found;
      if (renewed) response.setHeader("set-cookie", cookieText(services, sessionCookie(renewed)));
      authorize(finder.op, caller);
      const { answer, until } = await finder.find({ url, route, params, headers, ip: null, since }, caller);
      const lasts = { since: since ?? null, until: Math.min(found.until, until) };
      known.keep(request, answer, lasts, services.now());
      return answer;
    } catch {
      return null;
    }
  }

  /** Logs a read whose client has left. */
  function logLeft({ request, response, route, start }: Begun): void {
    logCutOff(services.log, services.shutdown, response, {
      request: requestId(request),
      operation: route.finder.op.name,
      method: "GET",
      route: route.route,
      status: null,
      duration_ms: performance.now() - start,
    });
  }

  function respond(request: IncomingMessage, response: ServerResponse, answer: Answer, start: number): void {
    sendTogether({
      send() {
        const id = requestId(request);
        const status = send(services, request, response, answer, id);
        const duration = performance.now() - start;
        count(answer.op.name, status, duration);
        logAnswer(services.log, answer, { id, status, duration });
      },
      fail: (error) => fail({ request, response }, error),
    });
  }

  /** Nothing is expected to fail here. If something does, only this request's connection ends. */
  function fail({ request, response }: Pick<Begun, "request" | "response">, error: unknown): void {
    services.log.error({ err: error, request: requestId(request) }, "a read failed unexpectedly");
    response.destroy();
  }
}

/** A read that has arrived. */
interface Begun {
  request: IncomingMessage;
  response: ServerResponse;
  route: Route;
  /** When it arrived, on the clock of `performance`. */
  start: number;
}

interface Route {
  finder: AnswerFinder;
  /** The pattern of its path. */
  route: string;
  params: Record<string, string>;
}

/** Finds operations by paths that have no parameter, or one that is an id. The router knows all others. */
class Routes {
  readonly #routes = new Map<string, Omit<Route, "params">>();

  constructor(finders: readonly AnswerFinder[]) {
    for (const finder of finders) {
      const { path } = finder.op;
      if (path.replace("{id}", "").includes("{")) continue;
      this.#routes.set(path.replace("{id}", "0"), { finder, route: routerPath(path) });
    }
  }

  find(url: string): Route | undefined {
    if (DEAR.test(url)) return undefined;
    const query = url.indexOf("?");
    const path = query < 0 ? url : url.slice(0, query);
    const id = ID.exec(path)?.[0];
    const found = this.#routes.get(id === undefined ? path : path.replace(ID, "0"));
    return found && { ...found, params: id === undefined ? {} : { id } };
  }
}

const ID = /(?<=\/)\d{1,15}(?=\/|$)/;

/** Names and values of the headers that are the same in all responses. */
const sameHeaders = memoizePerInstance((services: Services): readonly string[] => [
  ...Object.entries(securityHeaders(services, true)).flat(),
  ...["access-control-allow-origin", "*"],
  ...["content-type", "application/json; charset=utf-8"],
  ...["cache-control", "private, no-cache"],
  ...["vary", "Authorization, Cookie, Accept-Encoding"],
]);

/** Returns the status. */
function send(
  services: Services,
  { headers }: IncomingMessage,
  response: ServerResponse,
  { op, content, link }: Answer,
  id: string,
): number {
  const isUnchanged = isKnown(headers, content.tag);
  const encoding = isUnchanged || !content.isWorthCompressing ? null : acceptedEncoding(headers, op);
  const body = encoding === null ? content.pieces : [content.compressed(encoding)];
  const lines = [
    ...sameHeaders(services),
    ...["x-request-id", id, "link", link ?? documentLinks, "etag", content.tag],
  ];
  if (headers.origin !== undefined) lines.push("access-control-expose-headers", exposedHeaders);
  if (encoding !== null) lines.push("content-encoding", encoding);
  if (!isUnchanged)
    lines.push("content-length", String(encoding === null ? content.length : body[0]?.length));
  response.writeHead(isUnchanged ? 304 : 200, lines);
  if (isUnchanged) response.end();
  else sendPieces(response, body);
  return isUnchanged ? 304 : 200;
}

/** In one write. */
function sendPieces(response: ServerResponse, pieces: readonly Buffer[]): void {
  const last = pieces.length - 1;
  if (last > 0) response.cork();
  for (const piece of pieces.slice(0, last)) response.write(piece);
  response.end(pieces[last]);
}
