import { documents } from "@tandem/contract/documents";
import type { FastifyInstance } from "fastify";
import { notFound } from "../http/api-error.ts";
import { alsoLink } from "../http/links.ts";
import type { Services } from "../http/services.ts";
import { openApi } from "./openapi.ts";
import { policy } from "./policy.ts";
import { reference } from "./reference.ts";
import { MARKDOWN, PLAIN, preferred, ready, rendered, sendPage, sendReady } from "./send.ts";
import { summary } from "./summary.ts";
import { apiCatalog, robots, securityTxt } from "./well-known.ts";

interface Document {
  type: string;
  write(services: Services): string;
  /** A `Link` header in addition to the links to the other documents. */
  link?: string;
}

const referenceText = ({ baseUrl, config }: Services) => reference(baseUrl, config.limits);

/** The documents for programs, by path. */
const generated: Record<string, Document> = {
  [documents.openApi]: {
    type: "application/json; charset=utf-8",
    write: ({ baseUrl, config }) => JSON.stringify(openApi(baseUrl, config.limits)),
  },
  [documents.reference]: { type: MARKDOWN, write: referenceText },
  [documents.plainReference]: { type: PLAIN, write: referenceText },
  [documents.summary]: { type: PLAIN, write: ({ baseUrl, config }) => summary(baseUrl, config) },
  "/robots.txt": { type: PLAIN, write: ({ baseUrl }) => robots(baseUrl) },
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
  mountPolicy(server, services);
  mountSecurity(server, services);
}

function mountPolicy(server: FastifyInstance, services: Services): void {
  const address = () => `${services.baseUrl}${documents.markdownPolicy}`;
  const page = once(() => policy(services.baseUrl, services.config.limits));
  const html = once(() => rendered(page(), "html", address()));
  const markdown = once(() => rendered(page(), "markdown", address()));
  server.get(documents.markdownPolicy, async (request, reply) => sendReady(request, reply, markdown()));
  server.get(documents.policy, async (request, reply) =>
    sendPage(request, reply, preferred(request, "markdown") === "html" ? html() : markdown()),
  );
}

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
