import { readFileSync } from "node:fs";
import { operations } from "@tandem/contract/operations";
import { startTandem } from "@tandem/testing/tandem";
import { beforeAll, describe, expect, test } from "vitest";
import { countVisits } from "./features/sources/source-metrics.ts";

const files = ["grafana-dashboard.json", "prometheus-alerts.yml"];
const read = (name: string) => readFileSync(new URL(`../../docs/deploy/${name}`, import.meta.url), "utf8");

/** The metrics of GET /metrics. Several workers show fewer, because some can't be summed. */
let shown: Set<string>;
beforeAll(async () => {
  await using tandem = await startTandem();
  // Registers the metrics of jobs, which otherwise appear with the first run.
  countVisits(tandem.services);
  const metrics = await tandem.services.metrics.getMetricsAsJSON();
  shown = new Set(metrics.flatMap(({ name, aggregator }) => (String(aggregator) === "omit" ? [] : name)));
});

describe.each(files)("the docs' %s", (name) => {
  test("names only metrics that the service has", () => {
    const named = [...read(name).matchAll(/\b(?:tandem|process|nodejs)_\w+/g)].map(([one]) =>
      one.replace(/_(bucket|count|sum)$/, ""),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((one) => !shown.has(one))).toEqual([]);
  });

  test("names only existing operations, and excludes all that accept files", () => {
    const sets = [...read(name).matchAll(/operation(=|!)~\\?"([\w|]+)/g)];
    const uploads = Object.values(operations).filter(({ files }) => Object.keys(files).length > 0);
    expect(sets.length).toBeGreaterThan(0);
    for (const [, kind, names] of sets) {
      const listed = String(names).split("|");
      expect(listed.filter((one) => one !== "none" && !(one in operations))).toEqual([]);
      if (kind === "!")
        expect(listed.toSorted()).toEqual(["none", ...uploads.map(({ name }) => name)].toSorted());
    }
  });
});
