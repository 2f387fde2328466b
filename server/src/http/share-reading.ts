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
