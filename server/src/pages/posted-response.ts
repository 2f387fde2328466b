import type { FastifyInstance } from "fastify";

/** The path that a sign-in provider redirects back to. */
const PATH = "/login";

/** The fields that are read, with their maximum length in characters: all must fit into a header. */
const fields = { id_token: 6000, state: 200, user: 2000, error: 200 };

/**
 * Apple sends its response as a cross-site form POST if it includes a name, and such a request has none of our cookies.
 * So the browser is redirected to the same page with the response in the fragment, as other providers send it. The page
 * checks there that it belongs to a sign-in it started.
 */
export function takePostedResponses(server: FastifyInstance): void {
  server.post(PATH, (request, reply) => {
    const posted = new URLSearchParams(String(request.body ?? ""));
    const response = Object.entries(fields).flatMap(([name, most]) => {
      const value = posted.get(name);
      return value === null || value.length > most ? [] : [[name, value]];
    });
    const end = response.length > 0 ? `#${new URLSearchParams(response)}` : "";
    return reply.header("cache-control", "no-store").redirect(PATH + end, 303);
  });
}
