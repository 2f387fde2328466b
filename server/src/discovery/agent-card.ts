import { A2A_PATH, documents, VERSION } from "@tandem/contract/documents";
import type { Operation } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { tagline } from "./about.ts";
import { exampleBody, exampleOf } from "./examples.ts";
import type { Json } from "./schemas.ts";
import { securitySchemes } from "./security.ts";

/** The card of the Agent2Agent protocol, version 1.0: what `/a2a` takes, and nothing that it doesn't. */
export function agentCard(baseUrl: string): Json {
  const { bearerFormat, description } = securitySchemes.apiKey;
  return {
    name: "Tandem",
    description: `${tagline} A text searches posts; a data part \`{"operation", "input"}\` calls an operation of the API.`,
    version: VERSION,
    documentationUrl: `${baseUrl}${documents.reference}`,
    supportedInterfaces: [
      { url: `${baseUrl}${A2A_PATH}`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ],
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: { apiKey: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat, description } } },
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: [
      {
        id: "search",
        name: "Search posts",
        description: "Finds the posts that contain every word of the message.",
        tags: ["search", "posts"],
        examples: ["analytical engine"],
        inputModes: ["text/plain"],
      },
      ...operationList.filter(({ exposure }) => exposure === "tool").map(skillOf),
    ],
  };
}

function skillOf(op: Operation): Json {
  const { name, description, area, access, params } = op;
  const path = Object.entries(params.properties).map(([field, schema]) => [field, exampleOf(schema)]);
  const input = { ...Object.fromEntries(path), ...exampleBody(op) };
  return {
    id: name,
    name,
    description,
    tags: [area.toLowerCase()],
    examples: [JSON.stringify({ operation: name, input })],
    inputModes: ["application/json"],
    ...(access.kind !== "anyone" && { securityRequirements: [{ schemes: { apiKey: { list: [] } } }] }),
  };
}
