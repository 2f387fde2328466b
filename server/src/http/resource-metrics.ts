import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { Gauge } from "prom-client";
import type { Config } from "../config.ts";
import { mediaTasks } from "../media/worker-pool.ts";
import type { Services } from "./services.ts";
import { replaceSamples, shareReading } from "./share-reading.ts";

type Labels = Record<string, string>;

interface Measure {
  name: string;
  help: string;
  /** How the values of several workers become one. */
  aggregator: "sum" | "max";
  labels?: string[];
  /** No sample for null. */
  read(): Promise<[Labels, number | null][]> | [Labels, number | null][];
}

/** Metrics of what the service uses up: connections, disks, and the processes that convert media. */
export function watchResources({ storage, config, metrics }: Services): void {
  for (const { name, help, aggregator, labels = [], read } of [
    ...connectionMeasures(storage),
    ...sizeMeasures(storage),
    ...diskMeasures(config),
    ...mediaMeasures,
  ])
    new Gauge({
      name,
      help,
      aggregator,
      labelNames: labels,
      registers: [metrics],
      async collect() {
        replaceSamples(this, await read());
      },
    });
}

function connectionMeasures(storage: Services["storage"]): Measure[] {
  return [
    {
      name: "tandem_database_connections",
      help: "Open connections to the database, by server and state: used or idle. None without a server.",
      aggregator: "sum",
      labels: ["server", "state"],
      read: () =>
        storage.connections().flatMap(({ server, used, idle }): [Labels, number][] => [
          [{ server, state: "used" }, used],
          [{ server, state: "idle" }, idle],
        ]),
    },
    {
      name: "tandem_database_connections_waiting",
      help: "Reads and writes that wait for a connection to the database, by server.",
      aggregator: "sum",
      labels: ["server"],
      read: () => storage.connections().map(({ server, waiting }) => [{ server }, waiting]),
    },
  ];
}

function sizeMeasures(storage: Services["storage"]): Measure[] {
  const sizes = shareReading(() => storage.sizes(), { database: null, log: null });
  return [
    {
      name: "tandem_database_size_bytes",
      help: "The size of the database on disk.",
      aggregator: "max",
      read: async () => [[{}, (await sizes()).database]],
    },
    {
      name: "tandem_database_wal_bytes",
      help: "The size of the database's write-ahead log on disk.",
      aggregator: "max",
      read: async () => [[{}, (await sizes()).log]],
    },
  ];
}

/** The disks of the directories that the service writes to. Their sizes aren't summed: that would take a walk over all files. */
function diskMeasures({ dataDir, media }: Config): Measure[] {
  const directories = { data: dataDir, ...(media === null && { media: join(dataDir, "media") }) };
  const read = async () => {
    const disks = Object.entries(directories).map(async ([directory, path]) => {
      // Before the first upload there is no directory for media.
      const disk = await statfs(path).catch(() => null);
      return disk ? [{ directory, free: disk.bavail * disk.bsize, size: disk.blocks * disk.bsize }] : [];
    });
    return (await Promise.all(disks)).flat();
  };
  const disks = shareReading(read, []);
  const labels = ["directory"];
  return [
    {
      name: "tandem_disk_free_bytes",
      help: "Free space on the disk of DATA_DIR (data) and of the media in it (media).",
      aggregator: "max",
      labels,
      read: async () => (await disks()).map(({ directory, free }) => [{ directory }, free]),
    },
    {
      name: "tandem_disk_size_bytes",
      help: "The size of these disks.",
      aggregator: "max",
      labels,
      read: async () => (await disks()).map(({ directory, size }) => [{ directory }, size]),
    },
  ];
}

const mediaMeasures: Measure[] = [
  {
    name: "tandem_media_tasks",
    help: "Pictures and videos, uploaded or of other sites, that are converted (running) or wait for it (waiting).",
    aggregator: "sum",
    labels: ["state"],
    read() {
      const { running, waiting } = mediaTasks();
      return [
        [{ state: "running" }, running],
        [{ state: "waiting" }, waiting],
      ];
    },
  },
  {
    name: "tandem_media_oldest_seconds",
    help: "For how long the oldest picture or video has waited to be converted; 0 if none does.",
    aggregator: "max",
    read: () => [[{}, mediaTasks().age / 1000]],
  },
];
