import type { Request } from "../requests.ts";

/** How the four things that every platform does are requested from a running instance. */
export interface Peer {
  /** The newest 50 posts. */
  page: Request;
  /** One of them. */
  post: Request;
  /** Posts to create. All differ. */
  creates: Request[];
  /** Likes, none of which repeats another. Called after posts have been created. */
  likes(): Promise<Request[]>;
}

/** Posts to create: more than any instance creates during a measurement. */
export const CREATES = 20_000;

export const textOf = (i: number) => `${i} ${"Some words on looms and engines. ".repeat(6)}`;

/** Sends a request and returns the JSON of the response. Throws, with that, unless it is a success. */
export async function ask<T>(
  baseUrl: string,
  { path, method = "GET", headers = {}, body }: Request,
): Promise<T> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}
