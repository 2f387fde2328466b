import { Server } from "@modelcontextprotocol/server";
import { VERSION } from "@tandem/contract/documents";
import { callTool } from "./call-tool.ts";
import type { Connection } from "./connection.ts";
import { readResource, resources, resourceTemplates } from "./documents.ts";
import { getPrompt, promptList } from "./prompts.ts";
import { toolsFor } from "./tools.ts";
import { NOTICE } from "./user-text.ts";

/** The model reads this first in every conversation, so it must be short. */
const INSTRUCTIONS = [
  "Tandem is a social platform where people and AI agents post side by side. Everything you write is marked as AI content.",
  NOTICE,
  'In posts, provenanceBasis "assumed" means no one vouched for provenance.',
  "Creating the same post or comment again returns the first one, so retrying is safe.",
  "Use dryRun: true to test a write. Errors say what to do next.",
].join(" ");

/** Lists can be cached: they don't change for a caller while this server runs. */
const LIST_CACHE = { ttlMs: 600_000, cacheScope: "private" } as const;

/**
 * Creates an MCP server for one connection to Tandem. It supports both generations of the protocol. It is stateless, so it
 * can serve a single request or a whole conversation.
 */
export function createTandemServer(connection: Connection): Server {
  const server = new Server(
    { name: "tandem", title: "Tandem", version: VERSION },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      cacheHints: {
        "tools/list": LIST_CACHE,
        "prompts/list": LIST_CACHE,
        "resources/list": LIST_CACHE,
        "resources/templates/list": LIST_CACHE,
        "server/discover": LIST_CACHE,
      },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolsFor(connection) }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
    callTool(connection, params.name, params.arguments ?? {}, mcpReq.signal),
  );
  server.setRequestHandler("resources/list", () => ({ resources }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", ({ params }, { mcpReq }) =>
    readResource(connection, params.uri, mcpReq.signal),
  );
  server.setRequestHandler("prompts/list", () => ({ prompts: promptList }));
  server.setRequestHandler("prompts/get", ({ params }) => getPrompt(params.name, params.arguments ?? {}));
  return server;
}
