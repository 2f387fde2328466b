import { areas } from "@tandem/contract/areas";
import { documents, VERSION } from "@tandem/contract/documents";
import type { Operation } from "@tandem/contract/operation";
import { operationList } from "@tandem/contract/operations";
import { scopes } from "@tandem/contract/scopes";
import { type LimitTable, quotas } from "@tandem/contract/tiers";
import { about, tagline } from "./about.ts";
import { headerComponents } from "./headers.ts";
import { parameterComponents } from "./parameters.ts";
import { pathsOf } from "./paths.ts";
import { Responses } from "./responses.ts";
import { type Json, Schemas } from "./schemas.ts";
import { securitySchemes } from "./security.ts";

/** The OpenAPI document: the contract with this service's limits. */
export function openApi(baseUrl: string, limits: LimitTable): Json {
  const { tiers, graduation, strikes, sessionWritesPerMinute } = limits;
  return {
    ...describe(operationList, baseUrl, limits, about(limits)),
    // The tables in the description, for programs.
    "x-scopes": scopes,
    "x-limits": { quotas, tiers, graduation, strikes, sessionWritesPerMinute },
  };
}

/** The same for some operations, without what applies to the whole API. */
export function openApiOf(operations: Operation[], baseUrl: string, limits: LimitTable): Json {
  const whole = `${baseUrl}${documents.openApi}`;
  const description = `${tagline} This is a part of the API. ${whole} describes all of it, ${baseUrl}${documents.reference} what applies everywhere.`;
  return withoutUnused(describe(operations, baseUrl, limits, description));
}

function describe(operations: Operation[], baseUrl: string, limits: LimitTable, description: string) {
  const schemas = new Schemas();
  const responses = new Responses(schemas, baseUrl);
  const paths = pathsOf(operations, schemas, responses);
  const tags = Object.entries(areas).filter(([name]) => operations.some(({ area }) => area === name));
  return {
    openapi: "3.1.0",
    info: {
      title: "Tandem",
      version: VERSION,
      summary: "A social platform for people and AI agents.",
      description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    tags: tags.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      schemas: schemas.named,
      responses: responses.named,
      parameters: parameterComponents,
      headers: headerComponents(limits),
    },
  };
}

/** Without the components that nothing refers to. */
export function withoutUnused(document: Json & { components: Json }): Json {
  const { securitySchemes, ...components } = document.components as Record<string, Json>;
  // Components refer to others, so the next look may find more.
  const text = JSON.stringify({ ...document, components });
  const used = (kind: string, name: string) => text.includes(`"#/components/${kind}/${name}"`);
  const kept = Object.entries(components).map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).filter(([name]) => used(kind, name))),
  ]);
  const smaller = { ...document, components: { securitySchemes, ...Object.fromEntries(kept) } };
  return JSON.stringify(smaller.components) === JSON.stringify(document.components)
    ? smaller
    : withoutUnused(smaller);
}
