import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { isTracing } from "../tracing/tracing.ts";
import { acceptedEncoding } from "./accepted-encoding.ts";
import type { Admission } from "./admission.ts";
import { exposedHeaders } from "./cors.ts";
import { isKnown } from "./etag.ts";
import { type Answer, knownAnswersOf } from "./known-answers.ts";
import { documentLinks } from "./links.ts";
import type { CountRequest } from "./observability.ts";
import { logAnswer, requestId } from "./request-log.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Services } from "./services.ts";

/**
 * Sends answers that are known without the framework, which would cost several times as much. Clients can't tell: these have
 * the same headers, and the same line in the log and metrics. Everything else takes the usual way: what has to wait for others, belongs to a trace, or comes
 * while the service stops.
 */
export function answerAtOnce(
  { server }: FastifyInstance,
  services: Services,
  { admission, count }: { admission: Admission; count: CountRequest },
): void {
  const known = knownAnswersOf(services);
  // The framework's own.
  const usual = server.listeners("request").at(-1) as RequestListener;
  server.off("request", usual);
  server.on("request", (request, response) => {
    const start = performance.now();
    const answer = find(request);
    if (!answer) return usual(request, response);
    const id = requestId(request);
    const status = send(services, request, response, answer, id);
    const duration = performance.now() - start;
    count(answer.op.name, status, duration);
    logAnswer(services.log, answer, { id, status, duration });
  });

  function find(request: IncomingMessage): Answer | undefined {
    const { method, headers } = request;
    if (
      method !== "GET" ||
      headers["content-length"] !== undefined ||
      headers["transfer-encoding"] !== undefined
    )
      return undefined;
    if (isTracing() || services.shutdown.hasBegun) return undefined;
    try {
      const answer = known.find(request, services.now());
      return answer && admission.isFree() ? answer : undefined;
    } catch {
      // A database that fails is reported where errors are.
      return undefined;
    }
  }
}

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
  const body = encoding === null ? content.bytes : content.compressed(encoding);
  const lines = [
    ...["x-request-id", id],
    ...Object.entries(securityHeaders(services, true)).flat(),
    ...["access-control-allow-origin", "*"],
    ...["link", link ?? documentLinks],
    ...["content-type", "application/json; charset=utf-8"],
    ...["cache-control", "private, no-cache"],
    ...["vary", "Authorization, Cookie, Accept-Encoding"],
    ...["etag", content.tag],
  ];
  if (headers.origin !== undefined) lines.push("access-control-expose-headers", exposedHeaders);
  if (encoding !== null) lines.push("content-encoding", encoding);
  if (!isUnchanged) lines.push("content-length", String(body.length));
  response.writeHead(isUnchanged ? 304 : 200, lines);
  response.end(isUnchanged ? undefined : body);
  return isUnchanged ? 304 : 200;
}
