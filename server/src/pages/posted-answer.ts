import type { FastifyInstance } from "fastify";

/** Where a provider sends the browser back to. */
const PATH = "/login";

/** What is read of an answer, and how many characters of each: all of it has to fit into a header. */
const fields = { id_token: 6000, state: 200, user: 2000, error: 200 };

/**
 * Apple posts its answer, if it is to hold a name. A browser that comes from another site brings none of our cookies, and
 * needs none here: it is sent on to the same page, with the answer behind the `#`, as other providers send it at once. There
 * it is asked whether anybody waits for this, and no server reads it on the way.
 */
export function takePostedAnswers(server: FastifyInstance): void {
  server.post(PATH, (request, reply) => {
    const posted = new URLSearchParams(String(request.body ?? ""));
    const answer = Object.entries(fields).flatMap(([name, most]) => {
      const value = posted.get(name);
      return value === null || value.length > most ? [] : [[name, value]];
    });
    const end = answer.length > 0 ? `#${new URLSearchParams(answer)}` : "";
    return reply.header("cache-control", "no-store").redirect(PATH + end, 303);
  });
}
