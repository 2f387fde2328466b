import { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isTracing, type RequestTrace, traceRequest } from "../tracing/tracing.ts";
import type { Caller } from "./caller.ts";

declare module "fastify" {
  interface FastifyRequest {
    trace: RequestTrace | null;
  }
}

/** Traces each request, if tracing is on. Register it before hooks whose work and log lines belong to the trace. */
export function traceRequests(server: FastifyInstance): void {
  if (!isTracing()) return;
  server.decorateRequest("trace", null);
  server.addHook("onRequest", (request, reply, done) => {
    const { raw, method } = request;
    // What a page or a tool requests in this process is part of its request.
    const isInternal = !(raw.socket instanceof Socket);
    request.trace = traceRequest({ method, headers: raw.headers, isInternal });
    reply.raw.once("close", () => end(request, reply));
    resume(request, done);
  });
  // The body arrived outside of the trace.
  server.addHook("preValidation", (request, _reply, done) => resume(request, done));
  server.addHook("onResponse", (request, reply, done) => {
    end(request, reply);
    resume(request, done);
  });
}

function resume({ trace }: FastifyRequest, done: () => void): void {
  if (trace) trace.run(done);
  else done();
}

function end(request: FastifyRequest, reply: FastifyReply): void {
  const { method, op, caller, routeOptions } = request;
  const { url: route } = routeOptions;
  const { statusCode: status, errorCode } = reply;
  const attributes = {
    "http.request.method": method,
    ...(route !== undefined && { "http.route": route }),
    "http.response.status_code": status,
    ...(op && { "tandem.operation": op.name }),
    "tandem.caller": kindOf(caller),
    "tandem.request": request.id,
    ...(errorCode && { "error.type": errorCode }),
    ...(!reply.raw.writableFinished && { "tandem.aborted": true }),
  };
  request.trace?.end(route === undefined ? method : `${method} ${route}`, attributes, status >= 500);
}

function kindOf(caller: Caller | null): "anonymous" | "person" | "agent" | "key" {
  if (!caller) return "anonymous";
  if (caller.isAgent) return "agent";
  return caller.key ? "key" : "person";
}
