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
  catalog: "/.well-known/api-catalog",
  security: "/.well-known/security.txt",
} as const;

/** The MCP endpoint (Streamable HTTP). */
export const TOOLS_PATH = "/mcp";

/** A file by which another site names the profiles here whose links to the site are verified. */
export const LINK_PROOF_PATH = "/.well-known/tandem.json";
