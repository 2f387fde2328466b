import { Client, StreamableHTTPClientTransport, type Tool } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OlderHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** The official clients: the current SDK with either protocol generation, and the previous SDK. */
export const mcpClients = ["2026-07-28", "2025", "sdk 1"] as const;
export type McpClient = (typeof mcpClients)[number];

/** A program that speaks MCP over standard input and output (Node.js by default), or an HTTP address. */
export type McpTarget =
  | { program: { command?: string; args: string[]; env: Record<string, string> } }
  | HttpTarget;
export interface HttpTarget {
  url: string;
  headers?: Record<string, string>;
}

export interface ToolResult {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** A connected client. Both SDKs validate results against the tool's output schema and throw if they differ. */
export interface McpSession extends AsyncDisposable {
  tools(): Promise<Tool[]>;
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  /** The text of a resource. */
  read(uri: string): Promise<string>;
  resources(): Promise<string[]>;
  /** The text of a prompt. */
  prompt(name: string, args?: Record<string, string>): Promise<string>;
  instructions(): string | undefined;
}

export async function connectMcp(kind: McpClient, where: McpTarget): Promise<McpSession> {
  const client = kind === "sdk 1" ? await connectOlder(where) : await connectNewer(kind, where);
  return {
    // Call this first: it loads the schemas that results are checked against.
    tools: async () => (await client.listTools()).tools as Tool[],
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as ToolResult,
    read: async (uri) => textOf((await client.readResource({ uri })).contents[0]),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    prompt: async (name, args = {}) =>
      textOf((await client.getPrompt({ name, arguments: args })).messages[0]?.content),
    instructions: () => client.getInstructions(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function connectNewer(kind: "2026-07-28" | "2025", where: McpTarget): Promise<Client> {
  const mode = kind === "2025" ? "legacy" : { pin: kind };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    "program" in where
      ? new StdioClientTransport({ command: process.execPath, ...where.program, stderr: "ignore" })
      : new StreamableHTTPClientTransport(new URL(where.url), { requestInit: requestInit(where) }),
  );
  return client;
}

async function connectOlder(where: McpTarget): Promise<OlderClient> {
  const client = new OlderClient({ name: "test", version: "1" });
  const transport =
    "program" in where
      ? new OlderStdio({ command: process.execPath, ...where.program, stderr: "ignore" })
      : new OlderHttp(new URL(where.url), { requestInit: requestInit(where) });
  // The SDK's types don't match with our stricter compiler options.
  await client.connect(transport as Transport);
  return client;
}

function requestInit({ headers = {} }: HttpTarget): RequestInit {
  return { headers };
}

function textOf(content: object | undefined): string {
  return content && "text" in content ? String(content.text) : "";
}
