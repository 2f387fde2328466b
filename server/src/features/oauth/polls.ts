import { SECOND } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";

/** Shorter than what devices are told, because networks delay requests differently. */
const INTERVAL = (limits.devicePollSeconds - 1) * SECOND;

/** When devices that still wait have asked last, oldest first. Each process counts for itself. */
const lastPolls = memoizePerInstance((_services: Services) => new Map<string, number>());

/** Whether a device that still waits has asked again too soon (RFC 8628, 3.5). */
export function pollsTooOften(services: Services, deviceCode: string): boolean {
  const polls = lastPolls(services);
  const now = services.now();
  for (const [code, at] of polls) {
    if (at > now - INTERVAL) break;
    polls.delete(code);
  }
  const isEarly = polls.delete(deviceCode);
  polls.set(deviceCode, now);
  return isEarly;
}
