import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listening } from "./ports.ts";
import { programOf } from "./programs.ts";
import { temporaryDirectory } from "./storage.ts";

const file = fileURLToPath(new URL("../../docs/deploy/haproxy.cfg", import.meta.url));

/** An HAProxy as the docs set it up, listening at this port, before as many processes as the docs have. */
export async function startHaproxy(port: number, servers: string[]): Promise<AsyncDisposable> {
  const directory = await temporaryDirectory();
  const left = [...servers];
  const config = (await readFile(file, "utf8"))
    .replace(/^( +bind) :80$/m, `$1 127.0.0.1:${port}`)
    .replace(/^( +server \w+) \S+$/gm, (_, server) => `${server} ${left.shift()}`);
  if (left.length > 0 || config.includes("undefined"))
    throw new Error(`${file} isn't made for ${servers.length}`);
  const path = join(directory.path, "haproxy.cfg");
  await writeFile(path, config);
  const proxy = spawn(await programOf("haproxy"), ["-db", "-f", path], { stdio: "ignore" });
  const ended = once(proxy, "exit");
  await listening(proxy, port);
  return {
    async [Symbol.asyncDispose]() {
      proxy.kill("SIGKILL");
      await ended;
      await directory[Symbol.asyncDispose]();
    },
  };
}
