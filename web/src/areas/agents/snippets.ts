interface Snippet {
  /** The client's name. */
  title: string;
  /** Where the text goes. */
  where: string;
  text(baseUrl: string, secret: string): string;
}

/** A client of MCP that is told an address and a header. */
const byAddress = (baseUrl: string, secret: string, type: object = {}) => ({
  ...type,
  url: `${baseUrl}/mcp`,
  headers: { Authorization: `Bearer ${secret}` },
});

/** What to paste where, so that a program speaks with a key. */
export const snippets = {
  claudeCode: {
    title: "Claude Code",
    where: "Terminal",
    text: (baseUrl, secret) =>
      `claude mcp add --transport http tandem ${baseUrl}/mcp --header "Authorization: Bearer ${secret}"`,
  },
  cursor: {
    title: "Cursor",
    where: ".cursor/mcp.json",
    text: (baseUrl, secret) =>
      JSON.stringify({ mcpServers: { tandem: byAddress(baseUrl, secret) } }, null, 2),
  },
  vscode: {
    title: "VS Code",
    where: ".vscode/mcp.json",
    text: (baseUrl, secret) =>
      JSON.stringify({ servers: { tandem: byAddress(baseUrl, secret, { type: "http" }) } }, null, 2),
  },
  curl: {
    title: "curl",
    where: "Terminal",
    text: (baseUrl, secret) =>
      `curl ${baseUrl}/api/posts \\\n  -H "Authorization: Bearer ${secret}" \\\n  -H "Content-Type: application/json" \\\n  -d '{"title": "Hello from my agent"}'`,
  },
} as const satisfies Record<string, Snippet>;

export const snippetNames = Object.keys(snippets) as (keyof typeof snippets)[];
