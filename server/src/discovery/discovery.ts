import { areaNames } from "@tandem/contract/areas";
import { areaPath, documents, errorPath, OPEN_SEARCH_PATH } from "@tandem/contract/documents";
import type { ErrorCode } from "@tandem/contract/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../http/api-error.ts";
import { alsoLink } from "../http/links.ts";
import type { Services } from "../http/services.ts";
import { agentCard } from "./agent-card.ts";
import { errorCodes } from "./error-codes.ts";
import { errorPage } from "./error-page.ts";
import { gptActions } from "./gpt-actions.ts";
import { openApi, openApiOf } from "./openapi.ts";
import { partOf } from "./openapi-parts.ts";
import { policy } from "./policy.ts";
import type { Page } from "./prose.ts";
import { areaReference, reference } from "./reference.ts";
import {
  type Form,
  MARKDOWN,
  PLAIN,
  preferred,
  type Ready,
  ready,
  rendered,
  sendPage,
  sendReady,
} from "./send.ts";
import { skill } from "./skill.ts";
import { summary } from "./summary.ts";
import { apiCatalog, openSearch, robots, securityTxt } from "./well-known.ts";

const JSON_TYPE = "application/json; charset=utf-8";

interface Document {
  type: string;
  write(services: Services): string;
  /** A `Link` header in addition to the links to the other documents. */
  link?: string;
}

const referenceText = ({ baseUrl, config }: Services) => reference(baseUrl, config.limits);

/** The documents for programs, by path. */
const generated: Record<string, Document> = {
  [documents.actions]: {
    type: JSON_TYPE,
    write: ({ baseUrl, config }) => JSON.stringify(gptActions(baseUrl, config.limits)),
  },
  [documents.reference]: { type: MARKDOWN, write: referenceText },
  [documents.plainReference]: { type: PLAIN, write: referenceText },
  ...Object.fromEntries(
    areaNames.map((area) => [
      areaPath(area),
      { type: MARKDOWN, write: ({ baseUrl }: Services) => areaReference(area, baseUrl) },
    ]),
  ),
  [documents.skill]: { type: MARKDOWN, write: ({ baseUrl, config }) => skill(baseUrl, config) },
  [documents.summary]: { type: PLAIN, write: ({ baseUrl, config }) => summary(baseUrl, config) },
  "/robots.txt": { type: PLAIN, write: ({ baseUrl }) => robots(baseUrl) },
  [OPEN_SEARCH_PATH]: {
    type: "application/opensearchdescription+xml; charset=utf-8",
    write: ({ baseUrl }) => openSearch(baseUrl),
  },
  [documents.agentCard]: { type: JSON_TYPE, write: ({ baseUrl }) => JSON.stringify(agentCard(baseUrl)) },
  [documents.catalog]: {
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    write: ({ baseUrl }) => apiCatalog(baseUrl),
    link: `<${documents.catalog}>; rel="api-catalog"`,
  },
};

export function mountDiscovery(server: FastifyInstance, services: Services): void {
  for (const [path, document] of Object.entries(generated)) {
    const text = once(() => ready(document.write(services), document.type));
    server.get(path, async (request, reply) => {
      if (document.link) alsoLink(reply, document.link);
      return sendReady(request, reply, text());
    });
  }
  mountOpenApi(server, services);
  mountErrors(server, services);
  mountPolicy(server, services);
  mountSecurity(server, services);
}

/** The whole document, or with a query a part of it. There are few parts, so that each is kept. */
function mountOpenApi(server: FastifyInstance, services: Services): void {
  const { limits } = services.config;
  const parts = new Map<string, Ready>();
  server.get(documents.openApi, async (request, reply) => {
    const { key, operations } = partOf(request.query as Record<string, unknown>);
    let part = parts.get(key);
    if (!part) {
      const { baseUrl } = services;
      const document = key === "" ? openApi(baseUrl, limits) : openApiOf(operations, baseUrl, limits);
      part = ready(JSON.stringify(document), JSON_TYPE);
      parts.set(key, part);
    }
    return sendReady(request, reply, part);
  });
}

/** `/errors/{code}` is HTML for clients that prefer it; with `.md` it is always Markdown. */
function mountErrors(server: FastifyInstance, services: Services): void {
  const page = (code: ErrorCode) =>
    twinOf(services, `${errorPath(code)}.md`, () => errorPage(code, services.baseUrl));
  const pages = new Map(errorCodes.map((code): [string, Twin] => [code, page(code)]));
  server.get<{ Params: { code: string } }>("/errors/:code", async (request, reply) => {
    const [, code = "", end] = /^(.*?)(\.md)?$/.exec(request.params.code) ?? [];
    const twin = pages.get(code);
    if (!twin) throw notFound("error code");
    return end ? sendReady(request, reply, twin.markdown()) : sendTwin(request, reply, twin);
  });
}

function mountPolicy(server: FastifyInstance, services: Services): void {
  const twin = twinOf(services, documents.markdownPolicy, () =>
    policy(services.baseUrl, services.config.limits),
  );
  server.get(documents.markdownPolicy, async (request, reply) => sendReady(request, reply, twin.markdown()));
  server.get(documents.policy, async (request, reply) => sendTwin(request, reply, twin));
}

/** A page in both forms. */
type Twin = Record<Form, () => Ready>;

function twinOf(services: Services, markdownPath: string, write: () => Page): Twin {
  const page = once(write);
  const form = (name: Form) => once(() => rendered(page(), name, `${services.baseUrl}${markdownPath}`));
  return { html: form("html"), markdown: form("markdown") };
}

const sendTwin = (request: FastifyRequest, reply: FastifyReply, twin: Twin) =>
  sendPage(request, reply, twin[preferred(request, "markdown")]());

/** Without a configured contact, there is no such file. */
function mountSecurity(server: FastifyInstance, services: Services): void {
  server.get(documents.security, async (request, reply) => {
    const { securityContact } = services.config;
    if (securityContact === null) throw notFound("file: this service names no contact");
    return sendReady(
      request,
      reply,
      ready(securityTxt(services.baseUrl, securityContact, services.now()), PLAIN),
    );
  });
}

/** Builds a value on first use, since the service's address is known only once it listens. */
function once<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}
