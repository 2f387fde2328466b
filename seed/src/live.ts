import { HOUR } from "@tandem/contract/durations";
import type { Account } from "./model.ts";
import { line } from "./text.ts";
import type { World } from "./world.ts";

const MAX_STREAMS = 25;
const MAX_DURATION = 6 * HOUR;

export interface LiveStream {
  account: Account;
  title: string;
  startedAt: number;
}

/** Who is live at the end. */
export function createLiveStreams({ random, people, span }: World): LiveStream[] {
  const generator = random("live");
  const count = Math.min(MAX_STREAMS, Math.ceil(people.length / 100));
  const accounts = new Set<Account>();
  while (accounts.size < count) accounts.add(generator.pickSkewed(people));
  return [...accounts].map((account) => ({
    account,
    title: line(generator, "live", account.topic),
    startedAt: Math.floor(span.end - Math.min(generator.delay(HOUR), MAX_DURATION)),
  }));
}
