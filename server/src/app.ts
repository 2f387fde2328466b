import { HOUR, MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { type OperationName, operations } from "@tandem/contract/operations";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
} from "fastify";
import { backgroundJobs, queuesOf } from "./background.ts";
import type { Config } from "./config.ts";
import { mountDiscovery } from "./discovery/discovery.ts";
import { EXPORT_PATH, readyExport } from "./features/account-export/exports.ts";
import { endByMailProgram } from "./features/digest/digest.ts";
import { handlers } from "./features/handlers.ts";
import { revokeExposed } from "./features/keys/exposed-keys.ts";
import { livePlaylist, SLATE, slate } from "./features/live/playlist.ts";
import { liveThumbnail } from "./features/live/thumbnails.ts";
import { addPendingDraft, withdrawingOvertaken } from "./features/publishing/add-draft.ts";
import { remotePicturesOf } from "./features/remote-pictures/remote-pictures.ts";
import { clickCounterOf } from "./features/shop/click-counter.ts";
import { postsByMeaningOf } from "./features/similar/posts-by-meaning.ts";
import { sourcesOpml } from "./features/sources/export.ts";
import { isCallback, receive, verify } from "./features/sources/websub/callback.ts";
import { publicLog } from "./features/transparency-log/public-log.ts";
import { senderOf } from "./features/webhooks/sender.ts";
import { AfterResponse } from "./http/after-response.ts";
import { answerAtOnce } from "./http/answer-at-once.ts";
import { AnswerFinder, type AnyHandler } from "./http/answer-finder.ts";
import { limitBodyTime } from "./http/body-timeout.ts";
import { allowOtherOrigins } from "./http/cors.ts";
import { refuseAddress, refuseMalformed, respondToErrors } from "./http/errors.ts";
import { EventStreams } from "./http/event-stream.ts";
import { isLasting } from "./http/known-answers.ts";
import { linkDocuments } from "./http/links.ts";
import { answerHeadLikeGet, handleUnmatched } from "./http/methods.ts";
import { type Metrics, metricsOfOne } from "./http/metrics.ts";
import { watch } from "./http/observability.ts";
import { shedOverload } from "./http/overload.ts";
import { hintAtProxy } from "./http/proxy-hint.ts";
import { logRequests, requestId } from "./http/request-log.ts";
import { watchResources } from "./http/resource-metrics.ts";
import { type MountedOperation, mount } from "./http/route.ts";
import { secureResponses } from "./http/security-headers.ts";
import { serveExport } from "./http/serve-export.ts";
import { serveLive } from "./http/serve-live.ts";
import { serveLog } from "./http/serve-log.ts";
import { serveMedia } from "./http/serve-media.ts";
import { serveOpml } from "./http/serve-opml.ts";
import { serveRemotePictures } from "./http/serve-remote-pictures.ts";
import { serveUnsubscribe } from "./http/serve-unsubscribe.ts";
import { serveWebSub } from "./http/serve-websub.ts";
import type { Services } from "./http/services.ts";
import { Shutdown } from "./http/shutdown.ts";
import { traceRequests } from "./http/trace-requests.ts";
import { UploadLimiter } from "./http/upload-limiter.ts";
import { watchJobs } from "./jobs/job-metrics.ts";
import { watchQueues } from "./jobs/queue-metrics.ts";
import { logOutput } from "./log-output.ts";
import { openMailer } from "./mail/mailer.ts";
import { mountA2a } from "./mcp-http/a2a.ts";
import { mountTools } from "./mcp-http/tools.ts";
import { openMedia } from "./media/media.ts";
import { mountOAuth } from "./oauth-http/routes.ts";
import { openOutgoing } from "./outgoing/outgoing.ts";
import { userAgentOf } from "./outgoing/user-agent.ts";
import { mountPages } from "./pages/pages.ts";
import { wantsPage, webOf } from "./pages/web.ts";
import type { Storage } from "./storage/storage.ts";
import { mountLiveHooks } from "./streaming-hooks/live-hooks.ts";
import { isTracing, traceIds } from "./tracing/tracing.ts";

export interface AppOptions {
  config: Config;
  storage: Storage;
  /** Milliseconds since 1970; the system clock unless a test sets another. */
  now?: () => number;
  logger?: FastifyServerOptions["logger"];
  /** Default: this process's metrics only. */
  metrics?: Metrics;
}

export interface App {
  server: FastifyInstance;
  services: Services;
}

/** Milliseconds within which a body must arrive, except an upload. */
const BODY_TIMEOUT = 2 * MINUTE;
/** Milliseconds within which any request must arrive: enough for the largest upload over a slow connection. */
const REQUEST_TIMEOUT = HOUR;

/** Connections that wait to be accepted; the operating system may allow fewer. */
const BACKLOG = 4096;

/** The whole service over an open storage, not yet listening. */
export function createApp({
  config,
  storage,
  now = Date.now,
  logger = loggerOf(config),
  metrics = metricsOfOne(),
}: AppOptions): App {
  const server = Fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request" }),
    trustProxy: config.trustProxy > 0 && ((_address: string, hop: number) => hop < config.trustProxy),
    bodyLimit: limits.jsonBytes,
    // Longer than any URL that Node accepts, so that an id that is too long gets the same error as other invalid ids.
    routerOptions: { maxParamLength: 2 ** 16 },
    clientErrorHandler: (error, socket) => refuseMalformed(services, error, socket),
    frameworkErrors: (error, _request, reply) => refuseAddress(services, error, reply),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT,
    exposeHeadRoutes: false,
    genReqId: requestId,
  });
  endConnectionsOnClose(server);
  const media = openMedia(config, server.log);
  server.addHook("onClose", async () => media.close());
  const services: Services = {
    config,
    storage,
    media,
    mailer: openMailer(config, server.log, () => services.baseUrl),
    afterResponse: new AfterResponse(server.log),
    uploadLimiter: new UploadLimiter(),
    shutdown: new Shutdown(),
    streams: new EventStreams(config.streams),
    outgoing: openOutgoing({ allowed: config.outgoingAllow, userAgent: () => userAgentOf(services) }),
    log: server.log,
    metrics: metrics.own,
    revokeExposed,
    addPendingDraft,
    withdrawingOvertaken,
    now,
    baseUrl: config.baseUrl ?? "",
  };
  server.addHook("preClose", async () => services.streams.close());
  const remotePictures = remotePicturesOf(services);
  server.addHook("preClose", async () => remotePictures.stop());
  server.addHook("onClose", () => senderOf(services).stop());
  server.addHook("onClose", () => clickCounterOf(services).store());
  server.addHook("onClose", async () => postsByMeaningOf(services).stop());
  server.decorateRequest("caller", null);
  server.decorateRequest("op", null);
  server.decorateRequest("lasts", null);
  answerHeadLikeGet(server);
  server.server.prependListener("request", () => storage.freshen());
  services.shutdown.watch(server);
  traceRequests(server);
  logRequests(server, services.shutdown);
  secureResponses(server, services);
  allowOtherOrigins(server);
  const web = webOf(server, services);
  const admission = shedOverload(server, services, { isWanted: wantsPage, render: web.drawBusy });
  takeBodiesAsBytes(server);
  limitBodyTime(server, BODY_TIMEOUT);
  hintAtProxy(server, services);
  linkDocuments(server);
  handleUnmatched(server, { isWanted: wantsPage, render: web.draw });
  respondToErrors(server, services);
  const count = watch(server, services, metrics);
  watchResources(services);
  watchQueues(services, queuesOf);
  watchJobs(services, backgroundJobs);
  const names = Object.keys(operations) as OperationName[];
  const mounted = names.map((name): MountedOperation => [operations[name], handlers[name] as AnyHandler]);
  mount(server, services, mounted);
  const lasting = mounted.filter(([op]) => isLasting(op));
  const finders = lasting.map(([op, handler]) => new AnswerFinder(services, op, handler));
  answerAtOnce(server, services, { admission, count, finders });
  serveMedia(server, services);
  serveRemotePictures(server, (...wanted) => remotePictures.find(...wanted));
  serveExport(server, services, EXPORT_PATH, readyExport);
  serveOpml(server, services, sourcesOpml);
  serveLog(server, services, publicLog);
  serveLive(server, {
    playlist: (...wanted) => livePlaylist(services, ...wanted),
    thumbnail: (...wanted) => liveThumbnail(services, ...wanted),
    slate,
    slatePath: SLATE,
  });
  serveUnsubscribe(server, (token) => endByMailProgram(services, token));
  serveWebSub(server, {
    verify: (...sent) => verify(services, ...sent),
    isCallback: (callback) => isCallback(services, callback),
    receive: (...sent) => receive(services, ...sent),
  });
  mountDiscovery(server, services);
  mountPages(server, services, web);
  mountTools(server, services);
  mountOAuth(server, services);
  mountA2a(server, services);
  // Creates the sender, which is notified of new deliveries from now on.
  senderOf(services);
  mountLiveHooks(server, services);
  return { server, services };
}

/** A logger for a process that doesn't serve requests. */
export function createLog(config: Config): FastifyBaseLogger {
  return Fastify({ logger: loggerOf(config) }).log;
}

/** With tracing, each line has the ids of its trace. */
function loggerOf({ logLevel }: Config) {
  return { level: logLevel, stream: logOutput(), ...(isTracing() && { mixin: traceIds }) };
}

/** Starts listening, and derives the public URL from the port if none is set. */
export async function listen({ server, services }: App): Promise<string> {
  const { host, port, baseUrl } = services.config;
  const address = await server.listen({ host, port, backlog: BACKLOG });
  services.baseUrl = baseUrl ?? address;
  return services.baseUrl;
}

/**
 * During shutdown, requests in progress and new ones on open connections are completed, and then the connection is closed:
 * an idle connection would keep the process alive.
 */
function endConnectionsOnClose(server: FastifyInstance): void {
  server.addHook("preClose", async () => {
    server.server.keepAliveTimeout = 1;
  });
}

/** Bodies are kept as bytes; the operation's validator parses them. */
function takeBodiesAsBytes(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
}
