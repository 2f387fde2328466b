import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { NameServer } from "@tandem/testing/name-server";
import { programOf } from "@tandem/testing/programs";
import { temporaryDirectory } from "@tandem/testing/storage";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openOutgoing } from "./outgoing.ts";

const execute = promisify(execFile);
const allowed = ["127.0.0.1/32"];

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let names: NameServer;
let server: Server;

/** A server with a certificate for `good.example`, signed by an authority that isn't trusted by default. */
beforeAll(async () => {
  folder = await temporaryDirectory();
  names = await NameServer.start();
  for (const name of ["good.example", "other.example"]) names.setAddresses(name, ["127.0.0.1"]);
  await certify("/CN=Authority", "ca");
  await certify(
    "/CN=good.example",
    "good",
    "-CA ca.pem -CAkey ca.key -addext subjectAltName=DNS:good.example",
  );
  const [key, cert] = await Promise.all(["good.key", "good.pem"].map((name) => readFile(at(name))));
  server = createServer({ key, cert }, (_request, response) => void response.end("tea"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.close();
  await names[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const at = (name: string) => join(folder.path, name);
const addressOf = (host: string) => `https://${host}:${(server.address() as AddressInfo).port}/`;

async function certify(subject: string, name: string, more = ""): Promise<void> {
  const how = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj ${subject} -keyout ${name}.key -out ${name}.pem ${more}`;
  await execute(await programOf("openssl"), how.trim().split(" "), { cwd: folder.path });
}

/** The result of a request in a process that trusts the authority by NODE_EXTRA_CA_CERTS. */
async function requestTrusting(host: string): Promise<unknown> {
  const settings = { allowed, nameServers: [names.address] };
  const program = `
    const { openOutgoing } = await import(${JSON.stringify(new URL("outgoing.ts", import.meta.url).href)});
    const ask = openOutgoing({ ...${JSON.stringify(settings)}, userAgent: () => "Tandem/1.0" });
    const response = await ask(${JSON.stringify(addressOf(host))})
      .then(({ status, bytes }) => [status, bytes.toString()], ({ reason, message }) => [reason, message]);
    console.log(JSON.stringify(response));`;
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: at("ca.pem") },
  });
  return JSON.parse(stdout);
}

test("connects to a server with a certificate of a trusted authority", async () => {
  expect(await requestTrusting("good.example")).toEqual([200, "tea"]);
});

test("sends nothing to a server with a certificate for another name", async () => {
  expect(await requestTrusting("other.example")).toEqual([
    "unreachable",
    expect.stringContaining("ERR_TLS_CERT_ALTNAME_INVALID"),
  ]);
});

test("sends nothing to a server with an untrusted certificate", async () => {
  let requests = 0;
  server.on("request", () => requests++);
  const ask = openOutgoing({ allowed, userAgent: () => "Tandem/1.0", nameServers: [names.address] });
  await expect(ask(addressOf("good.example"))).rejects.toEqual(
    expect.objectContaining({ reason: "unreachable" }),
  );
  expect(requests).toBe(0);
});
