import { pathToFileURL } from "node:url";
import { Callers } from "@tandem/testing/callers";
import { temporaryDirectory } from "@tandem/testing/storage";
import { TraceCollector } from "@tandem/testing/trace-collector";
import { cpuSeconds } from "./cpu.ts";
import { option } from "./options.ts";
import { startServer } from "./server-process.ts";

/*
 * Measures what OpenTelemetry traces cost a request: built services with different settings take turns within one run, so the
 * ratio of their CPU times means the same on any machine. With `--against`, another checkout takes part, such as one from before a
 * change.
 *
 *   npm run bench:tracing [-- --requests 100 --rounds 30 --against /path/to/tandem]
 */

const requests = option("requests", 100);
const rounds = option("rounds", 30);
const at = process.argv.indexOf("--against");
const other = at < 0 ? null : process.argv[at + 1];

await using stack = new AsyncDisposableStack();
const collector = stack.use(await TraceCollector.start());
const OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
const here = "../../server/dist/main.js";

const services = {
  off: await service(here, {}),
  "off (again)": await service(here, {}),
  ...(other && { [other]: await service(pathToFileURL(`${other}/server/dist/main.js`).href, {}) }),
  "1 in 100": await service(here, {
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_TRACES_SAMPLER: "traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0.01",
  }),
  "every request": await service(here, { OTEL_EXPORTER_OTLP_ENDPOINT }),
};
const all = Object.entries(services);

for (const kind of ["read", "write"] as const) {
  const used = new Map(all.map(([name]) => [name, 0]));
  for (const [, each] of all) for (let i = 0; i < 3; i += 1) await each[kind]();
  for (let round = 0; round < rounds; round += 1)
    // Each begins in turn, because the load of the machine changes.
    for (let i = 0; i < all.length; i += 1) {
      const [name, each] = all[(round + i) % all.length] as (typeof all)[number];
      const before = each.cpu();
      for (let n = 0; n < requests; n += 1) await each[kind]();
      used.set(name, (used.get(name) ?? 0) + each.cpu() - before);
      collector.spans.length = 0;
    }
  for (const [name, seconds] of used) {
    const each = ((seconds / requests / rounds) * 1e6).toFixed(0).padStart(6);
    const ratio = (seconds / (used.get("off") ?? Number.NaN)).toFixed(3);
    console.log(`a ${kind}, ${name.padEnd(16)} ${each} µs of CPU time, ${ratio} times that with tracing off`);
  }
}

async function service(script: string, env: Record<string, string>) {
  const directory = stack.use(await temporaryDirectory());
  const tandem = stack.use(
    await startServer(script, {
      ...env,
      PORT: "0",
      DATA_DIR: directory.path,
      LOG_LEVEL: "warn",
      // On a busy machine, requests would be refused.
      MAX_WAIT: "600000",
      LIMIT_SESSION_WRITES_PER_MINUTE: "1000000000",
      LIMIT_THROTTLES_SAME_TEXT_PER_ACCOUNT_LIMIT: "1000000000",
    }),
  );
  const person = await new Callers(tandem.baseUrl).human();
  for (let i = 0; i < 20; i += 1) await person.createPost({ title: `Post ${i}` });
  let written = 0;
  return {
    cpu: () => cpuSeconds(tandem.pid),
    read: () => person.listPosts({ limit: 20 }),
    write: () => person.createPost({ title: `Another ${written++}` }),
  };
}
