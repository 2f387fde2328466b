/** What a response says besides its data. */
export interface Result<T> {
  data: T;
  /** The request's id, which the server's log contains too; null if a proxy removed it. */
  requestId: string | null;
  /** The quotas that the call counted against, and how much is left of each. Empty if there are none. */
  limits: Limit[];
  status: number;
  headers: Headers;
}

export interface Limit {
  name: string;
  /** Calls that the quota allows in its window. */
  limit: number;
  remaining: number;
  /** The length of the window, in seconds. */
  window: number;
  /** Seconds until the window ends. */
  reset: number;
}

export function resultOf<T>({ data, response }: { data: T; response: Response }): Result<T> {
  const { status, headers } = response;
  return { data, requestId: headers.get("x-request-id"), limits: limitsIn(headers), status, headers };
}

/** Parses `RateLimit-Policy: "posts";q=10;w=86400` and `RateLimit: "posts";r=9;t=3600`. */
function limitsIn(headers: Headers): Limit[] {
  const policies = parametersIn(headers.get("ratelimit-policy"));
  const states = parametersIn(headers.get("ratelimit"));
  return [...policies].flatMap(([name, { q = 0, w = 0 }]) => {
    const { r, t = 0 } = states.get(name) ?? {};
    return r === undefined ? [] : [{ name, limit: q, remaining: r, window: w, reset: t }];
  });
}

function parametersIn(header: string | null): Map<string, Record<string, number>> {
  const items = [...(header ?? "").matchAll(/"([^"]+)"([^",]*)/g)];
  return new Map(
    items.map(([, name = "", parameters = ""]) => [
      name,
      Object.fromEntries(
        [...parameters.matchAll(/;(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)]),
      ),
    ]),
  );
}
