import type { Gauge } from "prom-client";

/**
 * For metrics that are read together: calls during a reading get its result. If it fails, they get `otherwise`: other metrics
 * tell what doesn't work.
 */
export function shareReading<T>(read: () => Promise<T>, otherwise: T): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading.catch(() => otherwise);
  };
}

/** Sets a gauge to what was just read. What wasn't has no sample, instead of the last one. */
export function replaceSamples(
  gauge: Gauge,
  samples: readonly (readonly [labels: Record<string, string>, value: number | null])[],
): void {
  gauge.reset();
  // Without labels, a reset is a sample of 0.
  gauge.remove({});
  for (const [labels, value] of samples) if (value !== null) gauge.set(labels, value);
}
