/** The version of the interface, not of the program (spec: Versioning). */
export const VERSION = "1.0.0";

/** Where machines find out what the service can do (spec: Machine discovery). */
export const documents = {
  openApi: "/api/openapi.json",
  reference: "/developers.md",
  /** The reference once more, as plain text. */
  plainReference: "/llms-full.txt",
  summary: "/llms.txt",
  /** In Markdown or HTML, as `Accept` asks. */
  policy: "/ai-policy",
  markdownPolicy: "/ai-policy.md",
  catalog: "/.well-known/api-catalog",
  security: "/.well-known/security.txt",
} as const;

/** Where MCP clients find the tools. */
export const TOOLS_PATH = "/mcp";
