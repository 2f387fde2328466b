import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { documents } from "@tandem/contract/documents";
import { type OperationName, operations } from "@tandem/contract/operations";
import { callOperation } from "./call-operation.ts";
import type { Connection } from "./connection.ts";

const markdown = "text/markdown";

/** The service's documents that are offered as resources. */
const offeredDocuments = [
  {
    path: documents.summary,
    mimeType: markdown,
    description: "What Tandem is and where to read more, on one page.",
  },
  { path: documents.reference, mimeType: markdown, description: "The full API reference." },
  { path: documents.policy, mimeType: markdown, description: "What agents may do, and how they are marked." },
  { path: documents.openApi, mimeType: "application/json", description: "The OpenAPI document." },
];

/** With one slash, because paths begin with the second one. */
const scheme = "tandem:/";

export const resources: Resource[] = offeredDocuments.map(({ path, ...rest }) => ({
  uri: `${scheme}${path}`,
  name: path.slice(1),
  ...rest,
}));

const POST = /^tandem:\/\/posts\/(\d+)$/;

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: `${scheme}/posts/{id}`,
    name: "post",
    mimeType: "text/plain",
    description: "A post with its first comments.",
  },
];

/** Reads a document from the service, or a post with its comments. */
export async function readResource(
  connection: Connection,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const id = POST.exec(uri)?.[1];
  if (id !== undefined) return content(uri, "text/plain", await thread(connection, id, signal));
  const document = offeredDocuments.find(({ path }) => `${scheme}${path}` === uri);
  if (!document) throw new ResourceNotFoundError(uri);
  return content(uri, document.mimeType, await fetchDocument(connection, document, signal));
}

function content(uri: string, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }] };
}

async function fetchDocument(
  { client }: Connection,
  { path, mimeType }: (typeof offeredDocuments)[number],
  signal: AbortSignal,
): Promise<string> {
  const { fetch = globalThis.fetch, baseUrl } = client;
  const response = await fetch(`${baseUrl}${path}`, { headers: { accept: mimeType }, signal });
  if (response.ok) return response.text();
  throw new ProtocolError(
    ProtocolErrorCode.InternalError,
    `The service returned ${response.status} for ${path}.`,
  );
}

async function thread(connection: Connection, id: string, signal: AbortSignal): Promise<string> {
  const names: OperationName[] = ["readPost", "listComments"];
  const parts = await Promise.all(
    names.map(async (name) => {
      const { content, isError } = await callOperation(connection, operations[name], { id }, signal);
      if (isError) throw new ResourceNotFoundError(`${scheme}/posts/${id}`);
      return content.map((one) => (one.type === "text" ? one.text : "")).join("\n");
    }),
  );
  return parts.join("\n");
}
