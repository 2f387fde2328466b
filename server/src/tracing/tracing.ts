import type { Attributes, Span, SpanKind } from "@opentelemetry/api";
import type { TracingOptions } from "./options.ts";

export type { Span } from "@opentelemetry/api";

/** What `opentelemetry.ts` provides. */
export interface Tracing {
  /** Whether the current code belongs to a trace that is recorded. */
  isRecording(): boolean;
  /** Runs work in a span of the current trace; starts a trace if there is none. The span ends with the work. */
  run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** Starts a span for a request that arrived, in its client's trace or, within a request, in that one. */
  receive(request: ReceivedRequest): RequestTrace;
  keep<F extends (...args: never[]) => unknown>(continuation: F): F;
  ids(): TraceIds | undefined;
  headers(): Record<string, string>;
  /** Sends what hasn't been sent. */
  close(): Promise<void>;
}

export interface SpanOptions {
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
}

export interface ReceivedRequest {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether another request of this process makes it, without a socket. */
  isInternal: boolean;
}

/** The trace of one request. */
export interface RequestTrace {
  /** Runs a function as part of it. */
  run(continuation: () => void): void;
  /** Ends the request's span; later calls do nothing. `failed` says that the service is to blame. */
  end(name: string, attributes: Attributes, failed: boolean): void;
}

/** Added to log lines, under the names that OpenTelemetry gives them. */
export interface TraceIds {
  trace_id: string;
  span_id: string;
}

/** Null while tracing is off: then nothing is recorded, and OpenTelemetry isn't loaded. */
let tracing: Tracing | null = null;

interface Log {
  warn(facts: object, message: string): void;
}

/** Turns tracing on for the whole process, unless `options` is null. */
export async function startTracing(options: TracingOptions | null, log: Log): Promise<void> {
  if (options === null) return;
  const { openTelemetry } = await import("./opentelemetry.ts");
  tracing = openTelemetry(options, log);
}

/** Turns tracing off, after what is recorded has been sent. */
export async function stopTracing(): Promise<void> {
  const started = tracing;
  tracing = null;
  await started?.close();
}

export function isTracing(): boolean {
  return tracing !== null;
}

/** Runs a unit of work, such as a job, in a span of the current trace or in a trace of its own. */
export function traceWork<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracing === null ? work() : tracing.run(name, { attributes }, work);
}

/** Runs a step of work in a span, if it belongs to a trace that is recorded. `describe` is only called then. */
export function traceStep<T>(
  describe: () => { name: string } & SpanOptions,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!tracing?.isRecording()) return work();
  const { name, ...options } = describe();
  return tracing.run(name, options, work);
}

/** Returns the function bound to the current trace, for a callback that something else will call. */
export function keepTrace<F extends (...args: never[]) => unknown>(continuation: F): F {
  return tracing === null ? continuation : tracing.keep(continuation);
}

/** Null while tracing is off. */
export function traceRequest(request: ReceivedRequest): RequestTrace | null {
  return tracing === null ? null : tracing.receive(request);
}

/** The current trace, for log lines. */
export function traceIds(): TraceIds | object {
  return tracing?.ids() ?? {};
}

/** The header that tells another server of the current trace (W3C Trace Context). */
export function traceHeaders(): Record<string, string> {
  return tracing?.headers() ?? {};
}
