import { Callers } from "./callers.ts";
import { startHaproxy } from "./haproxy.ts";
import { freePort, until } from "./ports.ts";
import { type ServiceProcess, startProcess } from "./process.ts";
import { temporaryDirectory } from "./storage.ts";

/** Several service processes on one database, behind a proxy. */
export interface Cluster extends AsyncDisposable {
  /** The proxy's address, which is also the service's `BASE_URL`. */
  readonly address: string;
  /** Callers that use the proxy. */
  readonly as: Callers;
  readonly processes: readonly ServiceProcess[];
}

/** Starts as many processes as the HAProxy sample in docs/deploy has servers: three. */
export async function startCluster(env: Record<string, string>): Promise<Cluster> {
  const directory = await temporaryDirectory();
  const [port, ...ports] = await Promise.all(Array.from({ length: 4 }, freePort));
  const address = `http://127.0.0.1:${port}`;
  const one = async (own: number): Promise<ServiceProcess> => {
    const settings = { ...env, PORT: String(own), BASE_URL: address, TRUST_PROXY: "1" };
    // The address that a process prints is BASE_URL, not its own.
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
