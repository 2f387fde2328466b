import Fastify from "fastify";
import { expect, test } from "vitest";
import { inProcessFetch } from "./in-process-fetch.ts";

test("an in-process request has the address, host and cookie of the outer request", async () => {
  const server = Fastify({ trustProxy: (_address: string, hop: number) => hop < 1 });
  server.all("/inner", async ({ ip, headers, body, query }) => ({
    ip,
    host: headers.host,
    cookie: headers.cookie,
    body,
    query,
  }));
  server.get("/outer", async (request) => {
    const fetch = inProcessFetch(server, request);
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":1}' };
    const response = await fetch("http://elsewhere.example/inner?b=2", init);
    return { inner: await response.json(), ip: request.ip, type: response.headers.get("content-type") };
  });
  const address = await server.listen({ port: 0 });
  try {
    const headers = { "x-forwarded-for": "198.51.100.7, 203.0.113.9", cookie: "tandem_session=x" };
    const seen = (await (await fetch(`${address}/outer`, { headers })).json()) as Record<string, unknown>;
    expect(seen.ip).toBe("203.0.113.9");
    expect(seen.inner).toEqual({
      ip: seen.ip,
      host: new URL(address).host,
      body: { a: 1 },
      query: { b: "2" },
    });
    expect(seen.type).toMatch(/^application\/json/);
  } finally {
    await server.close();
  }
});
