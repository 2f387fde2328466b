import type { FastifyReply, FastifyRequest } from "fastify";
import { type Form, preferred } from "../discovery/send.ts";
import { varyBy } from "../http/etag.ts";

/**
 * In the `User-Agent` of browsers, search engines and link previews, which show pages even if they accept anything. Crawlers name
 * themselves a bot and give an address; agents may be called `digest_bot`.
 */
const showsPages =
  /mozilla|bot\b.*\+?https?:|crawl|spider|externalhit|preview|embed|whatsapp|twitterbot|slackbot|discordbot|telegrambot/i;

/**
 * The form of `/`. Programs such as curl, which accept anything or don't ask for text, get Markdown: it is all that an agent knows
 * at first.
 */
export function homeForm(request: FastifyRequest, reply: FastifyReply): Form {
  const { accept = "", "user-agent": userAgent = "" } = request.headers;
  if (accept.includes("text/")) return preferred(request, "html");
  varyBy(reply, "User-Agent");
  return showsPages.test(userAgent) ? "html" : "markdown";
}
