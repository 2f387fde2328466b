import { join } from "node:path";
import type { Config, S3Config } from "../config.ts";
import { traceStep } from "../tracing/tracing.ts";
import { diskStore } from "./disk.ts";
import type { Store } from "./store.ts";

/** Opens the configured store. `incoming` is a directory for temporary files. */
export function openStore({ dataDir, media }: Config, incoming: string): Store {
  return media ? remote(media, incoming) : diskStore(join(dataDir, "media"));
}

function traced<T>(operation: string, work: () => Promise<T>): Promise<T> {
  return traceStep(() => ({ name: `S3 ${operation}`, kind: "CLIENT" }), work);
}

/** Loads the S3 client on first use, because it is large. */
function remote(config: S3Config, incoming: string): Store {
  let loading: Promise<Store> | undefined;
  const store = () => {
    loading ??= import("./s3.ts").then(({ s3Store }) => s3Store(config, incoming));
    return loading;
  };
  return {
    put: (name, path) => traced("put", async () => (await store()).put(name, path)),
    open: (name) => traced("open", async () => (await store()).open(name)),
    withFile: async (name, work) => (await store()).withFile(name, work),
    remove: (names) => traced("remove", async () => (await store()).remove(names)),
    async *list() {
      yield* (await store()).list();
    },
  };
}
