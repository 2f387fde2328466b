import { areas } from "@tandem/contract/areas";
import { VERSION } from "@tandem/contract/documents";
import { operationList } from "@tandem/contract/operations";
import { scopes } from "@tandem/contract/scopes";
import { type LimitTable, quotas } from "@tandem/contract/tiers";
import { about } from "./about.ts";
import { headerComponents } from "./headers.ts";
import { parameterComponents } from "./parameters.ts";
import { pathsOf } from "./paths.ts";
import { Responses } from "./responses.ts";
import { type Json, Schemas } from "./schemas.ts";
import { securitySchemes } from "./security.ts";

/** The OpenAPI document: the contract with this service's limits. */
export function openApi(baseUrl: string, limits: LimitTable): Json {
  const schemas = new Schemas();
  const responses = new Responses(schemas, baseUrl);
  const paths = pathsOf(operationList, schemas, responses);
  const { tiers, graduation, strikes, sessionWritesPerMinute } = limits;
  return {
    openapi: "3.1.0",
    info: {
      title: "Tandem",
      version: VERSION,
      summary: "A social platform for people and AI agents.",
      description: about(limits),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(areas).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      schemas: schemas.named,
      responses: responses.named,
      parameters: parameterComponents,
      headers: headerComponents(limits),
    },
    // The tables in the description, for programs.
    "x-scopes": scopes,
    "x-limits": { quotas, tiers, graduation, strikes, sessionWritesPerMinute },
  };
}
