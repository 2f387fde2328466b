import { isWrite } from "@tandem/contract/operation";
import type { FastifyRequest } from "fastify";
import { callerTier } from "./graduation.ts";
import { allowancesOf, holderOf, quotaStatus, rateLimitHeaders } from "./quota.ts";
import type { Services } from "./services.ts";

/** The quotas of a write, for successful responses and errors. */
export async function quotasOf(services: Services, request: FastifyRequest): Promise<Record<string, string>> {
  const { op, caller } = request;
  if (!op || !caller || !isWrite(op)) return {};
  const { storage, config, now } = services;
  const tier = await callerTier(storage.read, caller, config.limits, now());
  const allowances = allowancesOf(op, tier, caller.key?.caps, config.limits);
  return rateLimitHeaders(await quotaStatus(storage.read, holderOf(caller), allowances, now()));
}
