import { randomUUID } from "node:crypto";
import { A2A_PATH } from "@tandem/contract/documents";
import type { Connection } from "@tandem/mcp/connection";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { boundJson } from "../http/json.ts";
import type { Services } from "../http/services.ts";
import { admit, connect } from "./tools.ts";

/** An error of JSON-RPC or of the protocol; `reason` is set for those of the protocol. */
class RpcError extends Error {
  readonly code: number;
  readonly reason: string | undefined;

  constructor(code: number, message: string, reason?: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

const noTask = () =>
  new RpcError(-32001, "There are no tasks here: every message is answered immediately.", "TASK_NOT_FOUND");
const noPush = () =>
  new RpcError(-32003, "Push notifications aren't supported.", "PUSH_NOTIFICATION_NOT_SUPPORTED");
const unsupported = () =>
  new RpcError(-32004, "This isn't supported; the agent card says what is.", "UNSUPPORTED_OPERATION");
const wrongParams = (message: string) => new RpcError(-32602, message);

type Fields = Record<string, unknown>;

/**
 * Serves the Agent2Agent protocol, version 1.0, over JSON-RPC. Messages are answered immediately, without tasks. Each is handled like a
 * tool call: as a request to the API with the same key and address.
 */
export function mountA2a(server: FastifyInstance, services: Services): void {
  server.post(A2A_PATH, { onRequest: (request) => admit(services, request) }, async (request) => {
    let id: unknown = null;
    try {
      const call = parse(request);
      id = call.id;
      const connection = connect(server, services, request);
      return { jsonrpc: "2.0", id, result: await perform(connection, call) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message, reason } = error;
      const info = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason,
        domain: "a2a-protocol.org",
      };
      return { jsonrpc: "2.0", id, error: { code, message, ...(reason && { data: [info] }) } };
    }
  });
}

interface Call {
  id: string | number;
  method: string;
  params: Fields;
}

function parse({ body, headers }: FastifyRequest): Call {
  const version = headers["a2a-version"];
  if (version !== undefined && version !== "1.0")
    throw new RpcError(-32009, "This endpoint speaks version 1.0 of the protocol.", "VERSION_NOT_SUPPORTED");
  const { jsonrpc, id, method, params = {} } = objectOf(jsonOf(body));
  const isCall = jsonrpc === "2.0" && typeof method === "string";
  if (!isCall || (typeof id !== "string" && typeof id !== "number") || !isFields(params))
    throw new RpcError(-32600, "Send one JSON-RPC 2.0 request with an id and a method.");
  return { id, method, params };
}

function jsonOf(body: unknown): unknown {
  const bytes = body instanceof Buffer ? body : Buffer.alloc(0);
  boundJson(bytes);
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new RpcError(-32700, "The body isn't valid JSON.");
  }
}

async function perform(connection: Connection, { method, params }: Call): Promise<Fields> {
  switch (method) {
    case "SendMessage":
      return { message: await answer(connection, params) };
    case "ListTasks":
      return { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 };
    case "GetTask":
    case "CancelTask":
    case "SubscribeToTask":
      throw noTask();
    case "SendStreamingMessage":
    case "GetExtendedAgentCard":
      throw unsupported();
    default:
      if (method.includes("PushNotificationConfig")) throw noPush();
      throw new RpcError(-32601, `There is no method ${JSON.stringify(method)}.`);
  }
}

/** Calls the operation that a data part names, or else searches posts for the words of the text. */
async function answer(connection: Connection, params: Fields): Promise<Fields> {
  const { message } = params;
  if (!isFields(message) || message.role !== "ROLE_USER" || !Array.isArray(message.parts))
    throw wrongParams("`message` needs the role ROLE_USER and `parts`.");
  if (message.taskId) throw noTask();
  const parts = message.parts.filter(isFields);
  const [asked, second] = parts.filter((part) => isFields(part.data)).map((part) => part.data);
  const text = parts.flatMap((part) => (typeof part.text === "string" ? [part.text] : [])).join(" ");
  const { callTool } = await import("@tandem/mcp/call-tool");
  const { toolOf } = await import("@tandem/mcp/tool-of");
  // Anything more would be lost.
  if (second !== undefined || (asked !== undefined) === (text.trim() !== ""))
    throw wrongParams("Send either a text or one data part with `operation` and `input`.");
  const { name, args } = toolOf(isFields(asked) ? asked : { operation: "listPosts", input: { q: text } });
  const { ERROR_META } = await import("@tandem/mcp/failure");
  const result = await callTool(connection, name, args, AbortSignal.timeout(60_000)).catch(({ message }) => {
    throw new RpcError(-32603, message);
  });
  const { content, structuredContent, isError, _meta } = result;
  const data = isError ? _meta?.[ERROR_META] : structuredContent;
  return {
    messageId: randomUUID(),
    contextId: typeof message.contextId === "string" && message.contextId ? message.contextId : randomUUID(),
    role: "ROLE_AGENT",
    parts: [
      ...content.flatMap((part) =>
        part.type === "text" ? [{ text: part.text, mediaType: "text/plain" }] : [],
      ),
      ...(data ? [{ data, mediaType: "application/json" }] : []),
    ],
  };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): Fields => (isFields(value) ? value : {});
