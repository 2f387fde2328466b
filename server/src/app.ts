import { limits } from "@tandem/contract/limits";
import { type OperationName, operations } from "@tandem/contract/operations";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from "fastify";
import type { Config } from "./config.ts";
import { mountDiscovery } from "./discovery/discovery.ts";
import { EXPORT_PATH, readyExport } from "./features/accounts/exports.ts";
import { keepDraft } from "./features/drafts/keep.ts";
import { handlers } from "./features/handlers.ts";
import { revokeExposed } from "./features/keys/exposed-keys.ts";
import { senderOf } from "./features/webhooks/sender.ts";
import { mountLiveHooks } from "./hooks/live-hooks.ts";
import { answerErrors, refuseAddress, refuseMalformed } from "./http/errors.ts";
import { EventStreams } from "./http/event-stream.ts";
import type { House } from "./http/house.ts";
import { linkDocuments } from "./http/links.ts";
import { refuseTheRest } from "./http/methods.ts";
import { type Metrics, metricsOfOne } from "./http/metrics.ts";
import { limitSending } from "./http/patience.ts";
import { type AnyHandler, mount } from "./http/route.ts";
import { serveExport } from "./http/serve-export.ts";
import { serveMedia } from "./http/serve-media.ts";
import { Slots } from "./http/slots.ts";
import { watch } from "./http/watch.ts";
import { openMailer } from "./mail/mailer.ts";
import { openMedia } from "./media/media.ts";
import { openOutgoing } from "./outgoing/outgoing.ts";
import { userAgentOf } from "./outgoing/user-agent.ts";
import { mountPages } from "./pages/pages.ts";
import { wantsPage, webOf } from "./pages/web.ts";
import type { Storage } from "./storage/storage.ts";
import { mountTools } from "./tools/tools.ts";

export interface AppOptions {
  config: Config;
  storage: Storage;
  /** Milliseconds since 1970; the machine's clock unless a test sets another. */
  now?: () => number;
  logger?: FastifyServerOptions["logger"];
  /** Its own alone, unless it is one of several that serve together. */
  metrics?: Metrics;
}

export interface App {
  server: FastifyInstance;
  house: House;
}

/** Milliseconds in which a body must have come in, */
const BODY_TIMEOUT = 120_000;
/** and any request, the largest files over the slowest line among them. */
const REQUEST_TIMEOUT = 3_600_000;

/** The whole service over an open storage, not yet listening. */
export function createApp({
  config,
  storage,
  now = Date.now,
  logger = { level: config.logLevel },
  metrics = metricsOfOne(),
}: AppOptions): App {
  const server = Fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy > 0 && ((_address: string, hop: number) => hop < config.trustProxy),
    bodyLimit: limits.jsonBytes,
    // Longer than any address that Node reads, so that it is the id which is refused, and by its name.
    routerOptions: { maxParamLength: 2 ** 16 },
    clientErrorHandler: (error, socket) => refuseMalformed(house, error, socket),
    frameworkErrors: (error, _request, reply) => refuseAddress(house, error, reply),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT,
  });
  endConnectionsOnClose(server);
  const media = openMedia(config, server.log);
  server.addHook("onClose", async () => media.close());
  const house: House = {
    config,
    storage,
    media,
    mailer: openMailer(config, server.log, () => house.baseUrl),
    slots: new Slots(),
    streams: new EventStreams(config.streams),
    outgoing: openOutgoing({ allowed: config.outgoingAllow, userAgent: () => userAgentOf(house) }),
    log: server.log,
    metrics: metrics.own,
    revokeExposed,
    keepDraft,
    now,
    baseUrl: config.baseUrl ?? "",
  };
  server.addHook("preClose", async () => house.streams.close());
  server.addHook("onClose", () => senderOf(house).stop());
  server.decorateRequest("caller", null);
  server.decorateRequest("op", null);
  const draw = webOf(server, house);
  takeBodiesAsBytes(server);
  limitSending(server, BODY_TIMEOUT);
  linkDocuments(server);
  refuseTheRest(server, { wanted: wantsPage, draw });
  answerErrors(server, house);
  watch(server, house, metrics);
  for (const name of Object.keys(operations) as OperationName[]) {
    mount(server, house, operations[name], handlers[name] as AnyHandler);
  }
  serveMedia(server, house);
  serveExport(server, house, EXPORT_PATH, readyExport);
  mountDiscovery(server, house);
  mountPages(server, house, draw);
  mountTools(server, house);
  // From now on it hears of what there is to send.
  senderOf(house);
  mountLiveHooks(server, house);
  return { server, house };
}

/** A log such as every app has, for a process that serves nothing itself. */
export function createLog({ logLevel }: Config): FastifyBaseLogger {
  return Fastify({ logger: { level: logLevel } }).log;
}

/** Begins to listen, and settles where the world reaches the service if nobody said. */
export async function listen({ server, house }: App): Promise<string> {
  const { host, port, baseUrl } = house.config;
  const address = await server.listen({ host, port });
  house.baseUrl = baseUrl ?? address;
  return house.baseUrl;
}

/**
 * A request under way when the service is told to end is answered, and so is one that comes on an open connection.
 * But the connection isn't kept after that: an idle one would keep the process from ending.
 */
function endConnectionsOnClose(server: FastifyInstance): void {
  server.addHook("preClose", async () => {
    server.server.keepAliveTimeout = 1;
  });
}

/** Bodies are read as they are: the operation's judge decides what to make of them. */
function takeBodiesAsBytes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
}
