import type { Operation } from "@tandem/contract/operation";
import type { FastifyRequest } from "fastify";
import { authorize, requireAdminFactor } from "./access.ts";
import type { Caller } from "./caller.ts";
import { authenticate, ownScheme } from "./credential.ts";
import type { Services } from "./services.ts";

/** Returns the caller of a route that has no operation of its own; throws unless they may use `op`. */
export async function admit(
  services: Services,
  request: FastifyRequest,
  op: Operation,
): Promise<Caller | null> {
  const { authorization, cookie } = request.headers;
  const { caller } = await authenticate(services, { authorization: ownScheme(authorization), cookie });
  request.op = op;
  request.caller = caller;
  authorize(op, caller);
  await requireAdminFactor(services, op, caller);
  return caller;
}
