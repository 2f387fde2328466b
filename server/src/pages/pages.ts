import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { preferred, rendered, sendPage } from "../discovery/send.ts";
import type { House } from "../http/house.ts";
import { mountAccountPages } from "./account.ts";
import { Addresses } from "./addresses.ts";
import { asStranger } from "./ask.ts";
import { creator } from "./creator.ts";
import { feed } from "./feed.ts";
import { mountFeeds } from "./feeds.ts";
import { post } from "./post.ts";
import type { Show } from "./show.ts";

/** By path; what ends in `.md` is Markdown, and the rest comes as the client would rather have it. */
const pages: Record<string, Show> = {
  "/": feed,
  "/index.md": feed,
  "/posts/:id": post,
  "/creators/:platform/:author": creator,
};

/** The feed, a post and a creator, as a stranger sees them: HTML for people, Markdown for programs. */
export function mountPages(server: FastifyInstance, house: House): void {
  const ask = asStranger(house);
  const answer = async (request: FastifyRequest, reply: FastifyReply, show: Show) => {
    const [path = "", ...rest] = request.url.split("?");
    const query = rest.join("?");
    const named = path.endsWith(".md");
    const form = named ? "markdown" : preferred(request, "html");
    const { page, address } = await show({
      house,
      ask,
      params: paramsOf(request, named),
      query,
      at: new Addresses(house.baseUrl, form),
    });
    const twin = address(new Addresses(house.baseUrl, "markdown"));
    return sendPage(request, reply, rendered(page, form, query ? `${twin}?${query}` : twin));
  };
  mountFeeds(server, house, ask);
  mountAccountPages(server);
  for (const [path, show] of Object.entries(pages))
    server.get(path, (request, reply) => answer(request, reply, show));
}

/** The form that a path names is no part of what its last value says. */
function paramsOf({ params }: FastifyRequest, named: boolean): Record<string, string> {
  const values = Object.entries(params as Record<string, string>);
  const last = values.length - 1;
  const end = named ? /\.md$/ : "";
  return Object.fromEntries(
    values.map(([name, value], i) => [name, i === last ? value.replace(end, "") : value]),
  );
}
