import type { IncomingMessage } from "node:http";
import { canWait } from "@tandem/contract/approval";
import { isWrite, type Operation, takesForm, takesIdempotencyKey } from "@tandem/contract/operation";
import { parseCookie } from "cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { onBehalfOf } from "../media/fair-queue.ts";
import { authorize, checkOrigin, requireAdminFactor, requireFieldScopes } from "./access.ts";
import { AnswerFinder, type AnyHandler, jsonOf, queryOf } from "./answer-finder.ts";
import { isPending, pendingCallOf, submitForApproval } from "./approval.ts";
import { recorded } from "./audit.ts";
import { chargeDryRun, refuseExhausted, responsiblePerson } from "./before-body.ts";
import { isForm, readBody, refuseBodyOfGet } from "./body.ts";
import { waiveBodyTimeout } from "./body-timeout.ts";
import type { Caller } from "./caller.ts";
import { BodyDigest } from "./content-digest.ts";
import type { Context, Cookie } from "./context.ts";
import { authenticate, cookieText, ownScheme, sessionCookie } from "./credential.ts";
import { readCurrent } from "./current-resource.ts";
import { linkCheck } from "./denied-links.ts";
import { sendJson, sendRead } from "./etag.ts";
import { EventResponse, lastEventId } from "./event-stream.ts";
import { keyCheck, type PublishedTextCheck } from "./exposed-keys.ts";
import { identifyFiles } from "./files.ts";
import { checked, keepingFixed } from "./fixed-fields.ts";
import { type Form, readForm } from "./form.ts";
import { attemptHolder, fingerprint, InFlight, idempotencyKey } from "./idempotency.ts";
import { type InputValidator, inputValidatorOf, parseQuery } from "./input-validator.ts";
import { isLasting, type KnownAnswers, knownAnswersOf, type Lasts } from "./known-answers.ts";
import { nextLink } from "./links.ts";
import { routerPath } from "./methods.ts";
import { namingMissingField } from "./missing-field.ts";
import { noSuchPath } from "./no-such-path.ts";
import { lastPosition, rateLimitHeaders } from "./quota.ts";
import { quotasOf } from "./quotas-of.ts";
import { deviceOf } from "./read-context.ts";
import { signatureResult, verifyWrite } from "./request-verdict.ts";
import { serializer } from "./serialize.ts";
import type { Services } from "./services.ts";
import { refuseSuspended } from "./suspension.ts";
import { isDryRun, unknownFieldsOf } from "./unknown-fields.ts";
import { isSigned } from "./verify-signature.ts";
import { newOutcome, performWrite, rehearse, type Write } from "./write.ts";
import { performAlone, WriteBatcher } from "./write-batcher.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | null;
    op: Operation | null;
    /** For how long the caller stays the same; only for answers that are kept. */
    lasts: Lasts | null;
  }
}

/** An operation and what handles it. */
export type MountedOperation = readonly [op: Operation, handler: AnyHandler];

/** Mounts operations. See docs/architecture.md, "How a request is handled". */
export function mount(app: FastifyInstance, services: Services, all: readonly MountedOperation[]): void {
  const routeOf = ([op, handler]: MountedOperation): RouteOptions => {
    const route = new Route(app, services, op, namingMissingField(op, handler));
    return {
      method: op.method,
      url: routerPath(op.path),
      onRequest: (request, reply) => route.admit(request, reply),
      handler: (request, reply) => route.handle(request, reply),
      ...(op.streams && { config: { cost: "transfer" } }),
    };
  };
  for (const one of all) if (!takesForm(one[0])) app.route(routeOf(one));
  // Forms are streamed by the route; other bodies are already in memory. One scope for all of them, because each takes Fastify a while.
  app.register(async (scope) => {
    scope.addContentTypeParser("multipart/form-data", (_request, _body, done) => done(null));
    for (const one of all) if (takesForm(one[0])) scope.route(routeOf(one));
  });
}

class Route {
  readonly #server: FastifyInstance;
  readonly #services: Services;
  readonly #op: Operation;
  readonly #handler: AnyHandler;
  readonly #inputValidator: InputValidator;
  readonly #writes: boolean;
  readonly #hasParams: boolean;
  readonly #textChecks: PublishedTextCheck[];
  readonly #knownAnswers: KnownAnswers | null;
  readonly #finder: AnswerFinder;
  readonly #stringify: (response: object) => string;
  readonly #asJson: ReturnType<typeof jsonOf>;
  readonly #inFlight = new InFlight();
  readonly #batcher = new WriteBatcher();

  constructor(server: FastifyInstance, services: Services, op: Operation, handler: AnyHandler) {
    this.#server = server;
    this.#services = services;
    this.#op = op;
    this.#handler = handler;
    this.#inputValidator = inputValidatorOf(op);
    this.#writes = isWrite(op);
    this.#hasParams = Object.keys(op.params.properties).length > 0;
    this.#knownAnswers = isLasting(op) ? knownAnswersOf(services) : null;
    this.#finder = new AnswerFinder(services, op, handler);
    this.#textChecks = [keyCheck(services, op), linkCheck(services, op)];
    this.#stringify = (response) => serializer(op.response)(response);
    this.#asJson = jsonOf(op);
  }

  /** Authenticates and authorizes, before the body is read. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { headers, method, params } = request;
    if (this.#hasParams && Object.values(params as object).includes(""))
      throw noSuchPath(method, request.url);
    request.op = this.#op;
    const since = this.#knownAnswers && this.#services.storage.version();
    const authorization = ownScheme(headers.authorization);
    const { cookie } = headers;
    const { caller, renewed, until } = await authenticate(this.#services, { authorization, cookie });
    request.caller = caller;
    if (this.#knownAnswers) request.lasts = { since, until };
    if (caller?.sessionId || this.#op.access.kind === "anyone") {
      const { origin, host, "sec-fetch-site": site } = headers;
      checkOrigin(
        { method, authorization, origin, host, site: site as string | undefined },
        this.#services.baseUrl,
      );
    }
    authorize(this.#op, caller);
    if (caller?.role === "admin") await requireAdminFactor(this.#services, this.#op, caller);
    if (caller && caller.suspendedUntil !== null)
      await refuseSuspended(this.#services.storage.read, this.#op, caller, this.#services.now());
    if (renewed) sendCookie(this.#services, reply, sessionCookie(renewed));
  }

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { raw, headers, caller } = request;
    if (this.#knownAnswers) return this.#answer(request, reply, this.#knownAnswers);
    if (this.#writes && parseDryRun(queryOf(raw.url ?? "")))
      await chargeDryRun(this.#services, caller, request.ip);
    if (!takesForm(this.#op) || !isForm(headers["content-type"])) return this.#process(request, reply, null);
    const { uploadLimiter } = this.#services;
    const holder = caller ? await responsiblePerson(this.#services, caller) : request.ip;
    const who = { caller, person: holder };
    await refuseExhausted(this.#services, this.#op, who, headers["idempotency-key"]);
    return uploadLimiter.during(holder, async () => {
      const form = await this.#form(raw);
      try {
        return await uploadLimiter.inTurn(holder, () =>
          onBehalfOf(holder, () => this.#process(request, reply, form)),
        );
      } finally {
        await form[Symbol.asyncDispose]();
      }
    });
  }

  async #form(raw: IncomingMessage): Promise<Form> {
    const { media, config } = this.#services;
    waiveBodyTimeout(raw);
    const bodyDigest = isSigned(this.#services, raw.headers) ? new BodyDigest() : null;
    return readForm(raw, {
      op: this.#op,
      directory: media.incoming,
      patience: config.uploadTimeout,
      bodyDigest,
    });
  }

  /** Sends a known answer, or finds it out. */
  async #answer(request: FastifyRequest, reply: FastifyReply, known: KnownAnswers): Promise<FastifyReply> {
    const { raw, lasts } = request;
    refuseBodyOfGet(raw);
    let answer = known.find(raw, this.#services.now(), this.#services.storage.version);
    if (!answer) {
      const { url, headers, params, ip, routeOptions } = request;
      const asked = {
        url: raw.url ?? url,
        route: routeOptions.url,
        params: params as Record<string, string>,
        headers,
        ip,
      };
      const found = await this.#finder.find(asked, request.caller);
      answer = found.answer;
      if (lasts) {
        const until = Math.min(lasts.until, found.until);
        known.keep(raw, answer, { ...lasts, until }, this.#services.now());
      }
    }
    if (answer.link !== undefined) reply.header("link", answer.link);
    return sendRead(request, reply, answer.content);
  }

  #validate(
    request: FastifyRequest,
    query: string,
    body: Record<string, unknown> | null,
  ): Record<string, unknown> {
    const params = request.params as Record<string, string>;
    return this.#inputValidator.validate({ params, query, body }, request.caller);
  }

  /** Validates the input and runs the handler. */
  async #process(request: FastifyRequest, reply: FastifyReply, form: Form | null): Promise<FastifyReply> {
    const bytes = request.body instanceof Buffer ? request.body : null;
    refuseBodyOfGet(request.raw);
    const body = form ? form.body : readBody(this.#op, request.headers["content-type"], bytes);
    const query = queryOf(request.raw.url ?? "");
    // Here and not with the input, because a draft's author may be a key that didn't send all of it.
    if (request.caller && body) requireFieldScopes(request.caller, this.#op, body);
    const input = this.#validate(request, query, body);
    if (this.#op.streams)
      input.lastEventId = lastEventId(request.headers["last-event-id"]) ?? input.lastEventId;
    if (this.#writes) for (const check of this.#textChecks) await check(input);
    if (form) Object.assign(input, await identifyFiles(this.#op, form.files));
    const verdict = await verifyWrite(this.#services, this.#op, request, form ? form.bodyDigest : bytes);
    reply.headers(signatureResult(verdict));
    const write = this.#describeWrite(request, input, query, form ? form.digest : bytes);
    const fixed = body ? unknownFieldsOf(this.#op).fixedIn(body) : {};
    // By name, because retried work sets its cookies again.
    const cookies = new Map<string, Cookie>();
    const ctx = this.#context(request, reply, write, cookies, { input, fixed });
    const response = await this.#handler(ctx as Context<never>, input as never);
    if (response instanceof EventResponse) return this.#services.streams.open(request, reply, response);
    reply.headers({
      ...(await this.#quotas(request, write)),
      ...signatureResult(verdict, write.outcome.replayed),
    });
    if (write.outcome.replayed) reply.header("idempotency-replayed", "true");
    if (!write.dryRun && !write.outcome.replayed)
      for (const cookie of cookies.values()) sendCookie(this.#services, reply, cookie);
    if (this.#op.redirects)
      return reply.redirect(headerSafe((response as { location: string }).location), 302);
    const json = this.#asJson(response, input);
    if (canWait(this.#op.name) && isPending(json)) reply.code(202);
    return sendJson(request, reply, json);
  }

  /** Quotas after the write; a replay or a dry run charges nothing and reports their current state. */
  async #quotas(request: FastifyRequest, { outcome }: Write): Promise<Record<string, string>> {
    return outcome.quotas.length > 0 ? rateLimitHeaders(outcome.quotas) : quotasOf(this.#services, request);
  }

  #describeWrite(
    request: FastifyRequest,
    input: Record<string, unknown>,
    query: string,
    body: Buffer | null,
  ): Write {
    const { caller } = request;
    const op = this.#op;
    const dryRun = this.#writes && parseDryRun(query);
    const key = takesIdempotencyKey(op) && caller ? idempotencyKey(request.headers["idempotency-key"]) : null;
    const attempt =
      key !== null && caller && !dryRun
        ? { holder: attemptHolder(caller), key, fingerprint: fingerprint(request.method, request.url, body) }
        : null;
    return {
      services: this.#services,
      op,
      caller,
      now: this.#services.now(),
      input,
      dryRun,
      trial: false,
      attempt,
      inFlight: this.#inFlight,
      stringify: this.#stringify,
      outcome: newOutcome(),
    };
  }

  #context(
    request: FastifyRequest,
    reply: FastifyReply,
    write: Write,
    cookies: Map<string, Cookie>,
    { input, fixed }: { input: object; fixed: Readonly<Record<string, unknown>> },
  ): Context {
    const { storage } = this.#services;
    const { caller } = request;
    return {
      services: this.#services,
      caller,
      now: write.now,
      method: request.method,
      address: request.ip,
      device: deviceOf(request.headers["user-agent"]),
      read: storage.read,
      recent: () => storage.recent(async () => (caller ? lastPosition(storage.read, caller.userId) : 0)),
      // A function, because V8 makes a hidden class for each object with a getter, which keeps the request until a collection of all garbage.
      cookies: () => parseCookie(request.headers.cookie ?? ""),
      write: (work, media) => {
        const pendingCall = pendingCallOf(write);
        const perform = (check: (response: object) => void) =>
          pendingCall
            ? submitForApproval(write, pendingCall, checked(work, check), media)
            : performWrite(write, recorded(write, input, checked(work, check)));
        return keepingFixed(fixed, perform, {
          stringify: this.#stringify,
          readCurrent: () => readCurrent(this.#server, request, this.#op, write.input),
        });
      },
      dryRun: write.dryRun,
      rehearse: (work) => rehearse(write, work),
      writeTogether: (target, work) => {
        const pendingCall = pendingCallOf(write);
        return pendingCall
          ? submitForApproval(write, pendingCall, (tx) => performAlone(tx, pendingCall, work))
          : this.#batcher.perform(write, target, work);
      },
      concerns: (kind, id) => {
        request.target = `${kind}:${id}`;
      },
      setCookie: (cookie) => cookies.set(cookie.name, cookie),
      nextPage: (cursor) => {
        if (cursor !== null) reply.header("link", nextLink(this.#services, request.url, cursor));
        return cursor;
      },
      changesAt: () => {},
      version: storage.askVersion,
    };
  }
}

/** A URL encoded for a header, which allows only ASCII. */
function headerSafe(address: string): string {
  return /^[!-~]*$/.test(address) ? address : new URL(address).href;
}

function parseDryRun(query: string): boolean {
  return isDryRun(parseQuery(query).dryRun);
}

function sendCookie(services: Services, reply: FastifyReply, cookie: Cookie): void {
  reply.header("set-cookie", cookieText(services, cookie));
}
