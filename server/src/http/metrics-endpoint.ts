import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { hintOf } from "@tandem/contract/hints";
import type { FastifyInstance } from "fastify";
import ipaddr from "ipaddr.js";
import { ConfigError } from "../config/parsers.ts";
import { ApiError } from "./api-error.ts";
import type { Metrics } from "./metrics.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Services } from "./services.ts";

const PATH = "/metrics";

/**
 * Metrics tell what people do here, so only this machine and those who have `METRICS_TOKEN` may read them. With
 * `METRICS_LISTEN` they have an address of their own, and the service's port doesn't serve them.
 */
export function serveMetrics(server: FastifyInstance, services: Services, { own, all }: Metrics): void {
  const { address, token } = services.config.metrics;
  if (address === null) {
    server.get(PATH, { config: { cost: "probe" } }, async (request, reply) => {
      if (!isFromHere(request.raw) && !hasToken(request.raw, token)) throw refusal(token);
      return reply.type(own.contentType).send(await all());
    });
    return;
  }
  const separate = createServer(async (request, response) => {
    const send = (status: number, type: string, body: string) =>
      response
        .writeHead(status, {
          "content-type": type,
          "cache-control": "no-store",
          ...securityHeaders(services, true),
        })
        .end(body);
    const sendError = (error: ApiError) =>
      send(
        error.status,
        "application/json; charset=utf-8",
        JSON.stringify(error.toBody(services.baseUrl, error.hint ?? hintOf(error.code))),
      );
    // Who may reach this address is the administrator's choice; a token restricts it further.
    const allowed = token === null || isFromHere(request) || hasToken(request, token);
    if (request.url?.split("?")[0] !== PATH) return sendError(new ApiError("not_found"));
    if (!allowed) return sendError(refusal(token));
    await all().then(
      (metrics) => send(200, own.contentType, metrics),
      (err) => {
        services.log.error({ err }, "the metrics could not be read");
        sendError(new ApiError("internal"));
      },
    );
  });
  server.addHook("onReady", () => listen(separate, address));
  server.addHook("onClose", async () => {
    separate.close();
    separate.closeAllConnections();
  });
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new ConfigError(`METRICS_LISTEN can't be used: ${error.message}.`, { cause: error })),
    );
    server.listen({ host, port }, resolve);
  });
}

/** Headers with which reverse proxies pass on a request: behind one on this machine, everyone has its address. */
const FORWARDING = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

/** Whether a program on this machine asks, not a proxy on behalf of someone else. */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const { remoteAddress = "" } = socket;
  const isLoopback = ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === "loopback";
  return isLoopback && !FORWARDING.some((name) => name in headers);
}

function hasToken({ headers: { authorization = "" } }: IncomingMessage, token: string | null): boolean {
  const sent = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  return token !== null && sent !== undefined && timingSafeEqual(digest(sent), digest(token));
}

/** Of equal length, as the comparison needs. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Tells whether there is a token at all: without the setting, none is right. */
function refusal(token: string | null): ApiError {
  const header = "send `Authorization: Bearer` and the value of the setting METRICS_TOKEN";
  return new ApiError("unauthorized", "Metrics need the metrics token, or a request from the same machine.", {
    hint:
      token === null
        ? `An administrator must set METRICS_TOKEN first; then ${header}. API keys and sessions don't work here.`
        : `${header.replace("send", "Send")} of this service. API keys and sessions don't work here.`,
  });
}
