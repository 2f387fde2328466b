import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { temporaryDirectory } from "@tandem/testing/storage";
import { cpuSeconds } from "./cpu.ts";
import { option } from "./options.ts";
import { sendRequests } from "./requests.ts";
import { startServer } from "./server-process.ts";

/*
 * Measures what compressed responses cost the service, in CPU time, rate and bytes: pages of the API and of the app, kept and not,
 * in each encoding. They take turns within one run, so the ratios mean the same on any machine. With `--against`, another
 * checkout takes part, such as one from before a change.
 *
 *   npm run bench:compression [-- --posts 2000 --requests 200 --rounds 10 --against /path/to/tandem]
 */

const posts = option("posts", 2000);
const requests = option("requests", 200);
const rounds = option("rounds", 10);
const at = process.argv.indexOf("--against");
const other = at < 0 ? null : process.argv[at + 1];

const encodings = { none: {}, gzip: { "accept-encoding": "gzip" }, br: { "accept-encoding": "gzip, br" } };
const accept = "text/html";
let made = 0;
/** Requests, and how many of them count as one: rendering takes long. */
const kinds = {
  "GET /api/posts, kept": { path: () => "/api/posts", share: 1 },
  "GET /api/posts, not kept": { path: () => `/api/posts?_n=${made++}`, share: 1 },
  "the feed's HTML, kept": { path: () => "/", share: 1 },
  "the feed's HTML, not kept": { path: () => `/?_n=${made++}`, share: 0.1 },
};

await using stack = new AsyncDisposableStack();
const directory = stack.use(await temporaryDirectory());
const env = { DATA_DIR: directory.path, PORT: "0", LOG_LEVEL: "warn", MAX_WAIT: "600000" };
const command = fileURLToPath(new URL("../../server/src/cli/tandem.ts", import.meta.url));
const seed = [command, "seed", "--posts", String(posts), "--at", "now"];
await promisify(execFile)(process.execPath, seed, { env: { ...process.env, ...env } });

const main = "server/src/main.ts";
const here = stack.use(await startServer(`../../${main}`, env));
const before = other && stack.use(await startServer(pathToFileURL(`${other}/${main}`).href, env));
const variants = [
  ...(before ? [{ name: "before", service: before, headers: encodings.none }] : []),
  ...Object.entries(encodings).map(([name, headers]) => ({ name, service: here, headers })),
];

for (const [kind, { path, share }] of Object.entries(kinds)) {
  const amount = Math.ceil(requests * share);
  const totals = new Map(variants.map(({ name }) => [name, { cpu: 0, seconds: 0, bytes: 0 }]));
  for (let round = -1; round < rounds; round += 1)
    // Each begins in turn, because the load of the machine changes. The first round doesn't count.
    for (let i = 0; i < variants.length; i += 1) {
      const { name, service, headers } = variants[
        (round + 1 + i) % variants.length
      ] as (typeof variants)[number];
      const from = cpuSeconds(service.pid);
      const sent = await sendRequests(service.baseUrl, { amount, connections: 8 }, () => ({
        path: path(),
        headers: { accept, ...headers },
      }));
      const total = totals.get(name);
      if (round < 0 || !total) continue;
      total.cpu += cpuSeconds(service.pid) - from;
      total.seconds += sent.seconds;
      total.bytes += sent.bytes;
    }
  const base = totals.get(variants[0]?.name ?? "")?.cpu ?? Number.NaN;
  console.log(kind);
  for (const [name, { cpu, seconds, bytes }] of totals) {
    const count = amount * rounds;
    const figures = [
      `${((1000 * cpu) / count).toFixed(2)} ms of CPU time (${(cpu / base).toFixed(2)})`,
      `${(count / seconds).toFixed(0)}/s`,
      `${(bytes / count / 1024).toFixed(1)} KiB`,
    ];
    console.log(`  ${name.padEnd(8)} ${figures.join("  ")}`);
  }
}
