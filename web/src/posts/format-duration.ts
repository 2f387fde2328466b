/** Seconds as 1:05 or 1:00:00. */
export function formatDuration(seconds: number): string {
  const rounded = Math.round(seconds);
  const parts = [Math.floor(rounded / 3600), Math.floor(rounded / 60) % 60, rounded % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}
