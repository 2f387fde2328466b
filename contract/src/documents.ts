import { type Area, areaSlug } from "./areas.ts";
import type { ErrorCode } from "./errors.ts";

/** The version of the API, not of the program. Paths carry no version. */
export const VERSION = "1.0.0";

/** Paths of the documents that describe the service to programs. */
export const documents = {
  openApi: "/api/openapi.json",
  reference: "/developers.md",
  /** The same reference as `text/plain`. */
  plainReference: "/llms-full.txt",
  summary: "/llms.txt",
  /** Markdown or HTML, depending on `Accept`. */
  policy: "/ai-policy",
  markdownPolicy: "/ai-policy.md",
  /** What an agent needs to begin and to take part regularly, as a skill with front matter. */
  skill: "/skill.md",
  /** The operations with a tool of their own, for GPT Actions. */
  actions: "/api/gpt-actions.json",
  /** For agents that speak the Agent2Agent protocol. */
  agentCard: "/.well-known/agent-card.json",
  catalog: "/.well-known/api-catalog",
  security: "/.well-known/security.txt",
} as const;

/** The reference of one area, such as `/developers/keys-and-agents.md`. */
export const areaPath = (area: Area): string => `/developers/${areaSlug(area)}.md`;

/** The page of an error code. With `.md`, it is Markdown whatever `Accept` says. */
export const errorPath = (code: ErrorCode): string => `/errors/${code}`;

/** The MCP endpoint (Streamable HTTP). */
export const TOOLS_PATH = "/mcp";

/** The A2A endpoint (JSON-RPC). */
export const A2A_PATH = "/a2a";

/** All sources as an OPML file, for admins. */
export const SOURCES_OPML_PATH = "/api/admin/sources.opml";

/** The index of the sitemap, for search engines. */
export const SITEMAP_PATH = "/sitemap.xml";

/** Describes the search to browsers (OpenSearch). */
export const OPEN_SEARCH_PATH = "/opensearch.xml";

/** A file by which another site names the profiles here whose links to the site are verified. */
export const LINK_PROOF_PATH = "/.well-known/tandem.json";
