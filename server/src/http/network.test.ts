import Fastify from "fastify";
import { expect, test } from "vitest";
import { clientAddress, networkOf } from "./network.ts";

test("the client's address is the one that the framework finds behind as many proxies", async () => {
  const forwarded = [
    "192.0.2.1",
    "192.0.2.1, 2001:db8::1",
    " 192.0.2.1,192.0.2.2 , 192.0.2.3",
    "192.0.2.1, , 192.0.2.2,",
    " , ",
  ];
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

test("any address that may be in a header has a network, or null", () => {
  const networks = {
    "192.0.2.1:80": "192.0.2.1",
    "2001:db8::1": "32.1.13.184.0.0.0.0",
    "fe80::1%eth0": "254.128.0.0.0.0.0.0",
    "fe80::1%eth-0.1": "254.128.0.0.0.0.0.0",
    "[fe80::1%a:b]:80": "254.128.0.0.0.0.0.0",
    "192.0.2.1%eth0": null,
    unknown: null,
  };
  for (const [address, network] of Object.entries(networks)) expect(networkOf(address)).toBe(network);
});
