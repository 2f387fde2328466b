import { send } from "@tandem/client/request";
import type { OperationName } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import { defaultLimits } from "@tandem/contract/tiers";
import { seed } from "@tandem/server/cli/seed/seed";
import { type Caller, Callers } from "@tandem/testing/callers";
import { type Inputs, makeFullUser } from "@tandem/testing/inputs";
import { type ServiceProcess, startProcess } from "@tandem/testing/process";
import { type StartOptions, startTandem } from "@tandem/testing/tandem";
import type { Environment } from "../environments.ts";

/** A request as it goes over the wire. */
export interface WireRequest {
  name: OperationName;
  method: string;
  url: URL;
  headers: Record<string, string>;
  /** JSON, or null. */
  body: string | null;
}

/** A seeded service in a process of its own, with an admin and an agent of theirs. */
export interface Target {
  baseUrl: string;
  /** The one who is signed in. */
  person: Caller;
  /** The credentials to scan with, by name. */
  callers: Record<"signed out" | "session" | "key", Record<string, string>>;
  /** A valid request of each operation whose input fits into JSON. Writes are dry runs, so that the data stay as they are. */
  requests(as: keyof Target["callers"]): Promise<WireRequest[]>;
  service: ServiceProcess;
}

/** High enough that tools aren't refused. */
const limits = Object.fromEntries([
  ["LIMIT_DRY_RUNS_PER_MINUTE", "1000000"],
  ...Object.keys(defaultLimits.tiers.probation).map((quota) => [
    `LIMIT_TIERS_PROBATION_${quota.toUpperCase()}`,
    "1000000",
  ]),
  ...Object.keys(defaultLimits.throttles).map((throttle) => [
    `LIMIT_THROTTLES_${throttle.replace(/[A-Z]/g, "_$&").toUpperCase()}_LIMIT`,
    "1000000",
  ]),
]);

/** Fills a database, and serves it as administrators do. */
export async function startTarget({ env }: Environment, posts: number): Promise<Target> {
  const dataDir = String(env.DATA_DIR);
  const options: StartOptions = { dataDir, env };
  const tandem = await startTandem("sqlite", options);
  await seed(tandem.storage, { posts });
  const { person, agent, inputs } = await makeFullUser(tandem);
  await tandem.stop();
  const service = await startProcess(dataDir, {
    ...env,
    ...limits,
    LOG_LEVEL: "error",
    LINK_CARDS: "0",
    LINK_CHECKS: "0",
    MAIL_URL: "off",
  });
  const callers = {
    "signed out": {},
    session: { cookie: person.options.headers?.cookie ?? "" },
    key: { authorization: `Bearer ${agent.options.key}` },
  };
  const requests = async (as: keyof typeof callers) =>
    (
      await Promise.all(
        Object.entries(inputs).map(([name, input]) =>
          wireRequest(service.address, name as OperationName, input as Inputs[OperationName], callers[as]),
        ),
      )
    ).filter((request) => request !== null);
  const { address: baseUrl } = service;
  return { baseUrl, person: new Callers(baseUrl).with(callers.session), callers, requests, service };
}

async function wireRequest(
  baseUrl: string,
  name: OperationName,
  input: object,
  headers: Record<string, string>,
): Promise<WireRequest | null> {
  const route = routes[name];
  if (route.streams || Object.keys(route.files).some((field) => field in input)) return null;
  let sent: WireRequest | null = null;
  const fetch = async (address: string | URL | Request, init: RequestInit = {}) => {
    sent = {
      name,
      method: String(init.method),
      url: new URL(String(address)),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === "string" ? init.body : null,
    };
    return new Response();
  };
  await send({ baseUrl, headers, fetch }, route, input, { dryRun: route.method !== "GET" });
  return sent;
}
