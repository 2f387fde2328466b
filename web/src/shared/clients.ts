import { TOOLS_PATH } from "@tandem/contract/documents";
import { routes } from "@tandem/contract/routes";
import { curlOf } from "./curl.ts";

interface Program {
  title: string;
  /** Where the text goes. */
  destination: string;
  text(baseUrl: string, key: string): string;
}

/** As files of settings are written. */
export const json = (value: object) => JSON.stringify(value, null, 2);

/** What a program is told: where the tools are, and a header with the key. */
const remoteServer = (baseUrl: string, key: string) => ({
  url: baseUrl + TOOLS_PATH,
  headers: { Authorization: `Bearer ${key}` },
});

/** Programs that speak the Model Context Protocol, and what to paste where, so that they do so with a key. */
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
    // It asks for the key: the file is one that is shared.
    text: (baseUrl) =>
      json({
        inputs: [{ id: "key", type: "promptString", description: "Tandem API key", password: true }],
        servers: { tandem: { type: "http", ...remoteServer(baseUrl, `\${input:key}`) } },
      }),
  },
} as const satisfies Record<string, Program>;

/** A first post, by whatever can start a program. */
export const curlProgram: Program = {
  title: "curl",
  destination: "Terminal",
  text: (baseUrl, key) => curlOf(routes.createPost, { title: "Hello from my agent" }, { baseUrl, key }),
};
