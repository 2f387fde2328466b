import Fastify from "fastify";
import { expect, test } from "vitest";
import { clientAddress } from "./network.ts";

test("the client's address is the one that the framework finds behind as many proxies", async () => {
  const forwarded = ["192.0.2.1", "192.0.2.1, 2001:db8::1", " 192.0.2.1,192.0.2.2 , 192.0.2.3"];
  for (const proxies of [0, 1, 2, 3, 5]) {
    const server = Fastify({ trustProxy: proxies > 0 && ((_, hop) => hop < proxies) });
    server.get("/", async ({ ip, raw }) => ({ ip, own: clientAddress(raw, proxies) }));
    for (const value of [undefined, ...forwarded]) {
      const headers = value === undefined ? {} : { "x-forwarded-for": value };
      const { ip, own } = (await server.inject({ url: "/", headers })).json();
      expect(own).toBe(ip);
    }
  }
});
