import type { FastifyInstance, FastifyRequest, InjectOptions } from "fastify";

/**
 * A fetch that calls this service directly, without a socket. Each call is handled as if it came from the client of
 * `request`: from the same address, through the same proxies.
 */
export function inProcessFetch(server: FastifyInstance, { raw }: FastifyRequest): typeof fetch {
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
    const pairs = Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    );
    return new Response(new Uint8Array(rawPayload), { status: statusCode, headers: pairs });
  };
}
