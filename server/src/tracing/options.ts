export interface TracingOptions {
  /** The collector's URL, without the path `/v1/traces`. */
  endpoint: string;
  /** Sent with each export. */
  headers: Record<string, string>;
  serviceName: string;
  sampler: SamplerName;
  /** The share of traces that the samplers with a ratio record. */
  ratio: number;
}

/** OpenTelemetry's names. A `parentbased` sampler does as the client's `traceparent` says, if there is one. */
export const samplerNames = [
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
  "always_on",
  "always_off",
  "traceidratio",
] as const;

type SamplerName = (typeof samplerNames)[number];
