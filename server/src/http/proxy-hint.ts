import type { FastifyInstance } from "fastify";
import ipaddr from "ipaddr.js";
import type { Services } from "./services.ts";

/**
 * Logs once if requests come through a reverse proxy that isn't trusted: then all clients seem to have its address, and
 * share its limits.
 */
export function hintAtProxy(server: FastifyInstance, { config, log }: Services): void {
  if (config.trustProxy > 0) return;
  let logged = false;
  server.addHook("onRequest", (request, _reply, done) => {
    done();
    if (logged || request.headers["x-forwarded-for"] === undefined) return;
    const { remoteAddress = "" } = request.socket;
    if (!isInternal(remoteAddress)) return;
    logged = true;
    log.warn(
      { proxy: remoteAddress },
      "requests come through a reverse proxy that isn't trusted, so all clients share its address and its limits; set TRUST_PROXY to the number of proxies",
    );
  });
}

/** On the internet, anyone can send the header. */
const internal = new Set<string>(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]);

function isInternal(address: string): boolean {
  return ipaddr.isValid(address) && internal.has(ipaddr.process(address).range());
}
