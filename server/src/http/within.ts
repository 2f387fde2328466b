import type { FastifyInstance, FastifyRequest, InjectOptions } from "fastify";

/**
 * A fetch that ends in this very service, without a socket between. A request that it makes is judged as if the one it
 * was made for had come in its place: from the same address, by the same proxies.
 */
export function fetchWithin(server: FastifyInstance, { raw }: FastifyRequest): typeof fetch {
  const { host, "x-forwarded-for": forwarded } = raw.headers;
  const remoteAddress = raw.socket.remoteAddress ?? "";
  const own = { ...(host && { host }), ...(forwarded && { "x-forwarded-for": String(forwarded) }) };
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const { body } = init;
    const { statusCode, headers, rawPayload } = await server.inject({
      method: (init.method ?? "GET") as NonNullable<InjectOptions["method"]>,
      url: pathname + search,
      headers: { ...Object.fromEntries(new Headers(init.headers)), ...own },
      remoteAddress,
      ...(typeof body === "string" && { payload: body }),
    });
    const said = Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    );
    return new Response(new Uint8Array(rawPayload), { status: statusCode, headers: said });
  };
}
