import openapiTS, { astToString } from "openapi-typescript";

/** TypeScript types that openapi-typescript generates from an OpenAPI document. */
export async function typesOf(document: object): Promise<string> {
  return astToString(await openapiTS(JSON.stringify(document)));
}
