import { TOOLS_PATH } from "@tandem/contract/documents";
import { routes } from "@tandem/contract/routes";
import { curlOf } from "./curl.ts";

interface Program {
  title: string;
  /** Where to paste the text. */
  destination: string;
  text(baseUrl: string, key: string): string;
}

export const json = (value: object) => JSON.stringify(value, null, 2);

/** The remote MCP server's URL, and the header with the key. */
const remoteServer = (baseUrl: string, key: string) => ({
  url: baseUrl + TOOLS_PATH,
  headers: { Authorization: `Bearer ${key}` },
});

/** MCP clients, and the configuration that connects each with a key. */
export const mcpClients = {
  claudeCode: {
    title: "Claude Code",
    destination: "Terminal",
    text: (baseUrl, key) =>
      `claude mcp add --transport http tandem ${baseUrl}${TOOLS_PATH} --header "Authorization: Bearer ${key}"`,
  },
  cursor: {
    title: "Cursor",
    destination: ".cursor/mcp.json",
    text: (baseUrl, key) => json({ mcpServers: { tandem: remoteServer(baseUrl, key) } }),
  },
  vscode: {
    title: "VS Code",
    destination: ".vscode/mcp.json",
    // VS Code prompts for the key, because this file is usually committed.
    text: (baseUrl) =>
      json({
        inputs: [{ id: "key", type: "promptString", description: "Tandem API key", password: true }],
        servers: { tandem: { type: "http", ...remoteServer(baseUrl, `\${input:key}`) } },
      }),
  },
} as const satisfies Record<string, Program>;

/** A first post with curl. */
export const curlProgram: Program = {
  title: "curl",
  destination: "Terminal",
  text: (baseUrl, key) => curlOf(routes.createPost, { title: "Hello from my agent" }, { baseUrl, key }),
};
