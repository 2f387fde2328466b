import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TracingOptions } from "./options.ts";
import type { ReceivedRequest, RequestTrace, SpanOptions, Tracing } from "./tracing.ts";

interface Log {
  warn(facts: object, message: string): void;
}

/** Milliseconds between two log lines about exports that failed. */
const LOG_INTERVAL = 60_000;

const propagator = new W3CTraceContextPropagator();

/** Records spans, and sends them to the collector in the background. A collector that is away costs spans, nothing else. */
export function openTelemetry(options: TracingOptions, log: Log): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  reportErrors(log);
  const { endpoint, headers, serviceName } = options;
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers });
  const provider = new TracerProvider({
    // OTEL_RESOURCE_ATTRIBUTES adds to these.
    resource: resourceFromAttributes({ "process.pid": process.pid })
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ "service.name": serviceName })),
    sampler: samplerOf(options),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("tandem");

  const start = (name: string, { kind = "INTERNAL", attributes = {} }: SpanOptions, parent: Context): Span =>
    tracer.startSpan(name, { kind: SpanKind[kind], attributes }, parent);

  return {
    isRecording: () => trace.getActiveSpan()?.isRecording() === true,
    async run(name, options, work) {
      const parent = trace.getActiveSpan()?.isRecording() ? context.active() : ROOT_CONTEXT;
      const span = start(name, options, parent);
      try {
        return await context.with(trace.setSpan(parent, span), work, undefined, span);
      } catch (error) {
        recordError(span, error);
        throw error;
      } finally {
        span.end();
      }
    },
    receive: (request) => receive(request, start),
    keep: (continuation) => context.bind(context.active(), continuation),
    ids() {
      const current = trace.getActiveSpan()?.spanContext();
      return current && { trace_id: current.traceId, span_id: current.spanId };
    },
    headers() {
      const headers: Record<string, string> = {};
      propagator.inject(context.active(), headers, {
        // `tracestate` is for the client's own systems, not for other people's servers.
        set: (to, name, value) => void (name === "traceparent" && Object.assign(to, { [name]: value })),
      });
      return headers;
    },
    async close() {
      await provider.shutdown().catch(() => {});
      context.disable();
    },
  };
}

function receive(
  { method, headers, isInternal }: ReceivedRequest,
  start: (name: string, options: SpanOptions, parent: Context) => Span,
): RequestTrace {
  // A connection's events run in the context of whatever came before on it.
  const parent = isInternal
    ? context.active()
    : propagator.extract(ROOT_CONTEXT, headers, {
        get: (from, name) => from[name],
        keys: (from) => Object.keys(from),
      });
  const span = start(method, { kind: isInternal ? "INTERNAL" : "SERVER" }, parent);
  const own = trace.setSpan(parent, span);
  return {
    run: (continuation) => context.with(own, continuation),
    end(name, attributes, failed) {
      if (!span.isRecording()) return;
      span.updateName(name);
      span.setAttributes(attributes);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Names the error, without its message, which may contain what callers sent. A refusal isn't a failure of the service. */
function recordError(span: Span, error: unknown): void {
  const { code, name, status = 500 } = (error ?? {}) as { code?: unknown; name?: unknown; status?: unknown };
  span.setAttribute("error.type", String(code ?? name ?? "unknown"));
  if (error instanceof Error && !(Number(status) < 500)) span.setStatus({ code: SpanStatusCode.ERROR });
}

function reportErrors(log: Log): void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((err) => {
    if (performance.now() - loggedAt < LOG_INTERVAL) return;
    loggedAt = performance.now();
    log.warn({ err }, "traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT");
  });
}

function samplerOf({ sampler, ratio }: TracingOptions): Sampler {
  const root = sampler.endsWith("off")
    ? new AlwaysOffSampler()
    : sampler.endsWith("ratio")
      ? new TraceIdRatioBasedSampler(ratio)
      : new AlwaysOnSampler();
  return sampler.startsWith("parentbased") ? new ParentBasedSampler({ root }) : root;
}
