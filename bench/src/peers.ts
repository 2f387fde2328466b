import { cpuSeconds } from "./cpu.ts";
import { loadOf } from "./load/load.ts";
import { median } from "./median.ts";
import { option, textOption } from "./options.ts";
import { misskey } from "./peers/misskey.ts";
import { nodebb } from "./peers/nodebb.ts";
import { pds } from "./peers/pds.ts";
import type { Peer } from "./peers/peer.ts";
import { tandem } from "./peers/tandem.ts";
import type { Request } from "./requests.ts";

/*
 * Measures a running instance of another platform, on this machine, with the load of `npm run bench`: docs/performance.md says what each
 * needs.
 *
 *   npm run bench:peers -- --pds URL --identifier NAME --password PASSWORD [--pid PID,PID --rounds 3 --seconds 5]
 */

const adapters = { pds, nodebb, misskey, tandem };
const rounds = option("rounds", 3);
const seconds = option("seconds", 5);
const pids = (textOption("pid") ?? "").split(",").filter(Boolean).map(Number);

for (const [name, adapter] of Object.entries(adapters)) {
  const baseUrl = textOption(name)?.replace(/\/$/, "");
  if (baseUrl) await measure(name, baseUrl, await adapter(baseUrl));
}

async function measure(name: string, baseUrl: string, peer: Peer): Promise<void> {
  console.log(`${name}: medians of ${rounds} rounds of ${seconds} s`);
  await row("page of 50", baseUrl, [peer.page]);
  await row("one post", baseUrl, [peer.post]);
  await row("create", baseUrl, peer.creates);
  await row("like", baseUrl, await peer.likes());
}

async function row(name: string, baseUrl: string, requests: Request[]): Promise<void> {
  await using load = await loadOf(baseUrl, requests);
  await load.run(1);
  const figures: { rate: number; cpu: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = used();
    const { rate, count } = await load.run(seconds);
    figures.push({ rate, cpu: ((used() - before) * 1000) / count });
  }
  const rate = median(figures.map((one) => one.rate)).toFixed(0);
  const cpu = median(figures.map((one) => one.cpu)).toFixed(2);
  console.log(
    `  ${name.padEnd(12)} ${rate.padStart(8)}/s${pids.length > 0 ? `  ${cpu} ms of CPU time` : ""}`,
  );
}

function used(): number {
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}
