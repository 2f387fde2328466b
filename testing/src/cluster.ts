import { Callers } from "./callers.ts";
import { startHaproxy } from "./haproxy.ts";
import { freePort, until } from "./ports.ts";
import { type ServiceProcess, startProcess } from "./process.ts";
import { temporaryDirectory } from "./storage.ts";

/** Processes over one database, and the proxy before them. */
export interface Cluster extends AsyncDisposable {
  /** The proxy's, and so what the world takes for the service's. */
  readonly address: string;
  /** Callers that come through the proxy. */
  readonly as: Callers;
  readonly processes: readonly ServiceProcess[];
}

/** Starts as many processes as the docs' HAProxy has room for. */
export async function startCluster(env: Record<string, string>): Promise<Cluster> {
  const directory = await temporaryDirectory();
  const [port, ...ports] = await Promise.all(Array.from({ length: 4 }, freePort));
  const address = `http://127.0.0.1:${port}`;
  const one = async (own: number): Promise<ServiceProcess> => {
    const settings = { ...env, PORT: String(own), BASE_URL: address, TRUST_PROXY: "1" };
    // What a process says of itself is where the world reaches it.
    return { ...(await startProcess(directory.path, settings)), address: `http://127.0.0.1:${own}` };
  };
  const servers = ports.map((own) => `127.0.0.1:${own}`);
  const proxy = await startHaproxy(Number(port), servers);
  const processes = await Promise.all(ports.map(one));
  await until(async () => (await fetch(`${address}/readyz`)).status === 200);
  return {
    address,
    as: new Callers(address),
    processes,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await Promise.all(processes.map((served) => served.stop("SIGKILL")));
      await directory[Symbol.asyncDispose]();
    },
  };
}
