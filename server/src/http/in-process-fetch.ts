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
    const { method = "GET", body } = init;
    // A form's encoding names its boundary in the headers.
    const form = body instanceof FormData ? new Response(body) : null;
    const payload = form ? Buffer.from(await form.arrayBuffer()) : body;
    const { statusCode, headers, rawPayload } = await server.inject({
      method: method as NonNullable<InjectOptions["method"]>,
      url: pathname + search,
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        ...Object.fromEntries(form?.headers ?? []),
        ...own,
      },
      remoteAddress,
      ...(payload != null && { payload: payload as string | Buffer }),
    });
    const pairs = Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    );
    return new Response(new Uint8Array(rawPayload), { status: statusCode, headers: pairs });
  };
}
